import { type Ask, isAgentError, type Run } from '@interleave/core'
import { replyTo } from './live.ts'
import { tellFault } from './post.ts'

/**
 * Answers the open questions of a run in one of several tabs, truthfully. A frozen tab may continue with a call when it
 * wakes up, so `after` delays the answer.
 */
export function answerTruly(run: Run, afterMs: number): void {
  const answering = new Set<Ask>()
  const answer = async (ask: Ask): Promise<void> => {
    if (ask.about === 'interruption') await new Promise((resolve) => setTimeout(resolve, afterMs))
    if (!run.state.asks.includes(ask)) return
    const value = await replyTo(run, ask)
    if (!run.state.asks.includes(ask)) return
    await run.reply(ask, value as never)
  }
  const look = (): void => {
    for (const ask of run.state.asks) {
      if (answering.has(ask)) continue
      answering.add(ask)
      answer(ask).catch((error: unknown) => {
        answering.delete(ask)
        // The page is left.
        if (error instanceof TypeError) return
        // Another tab was faster, or the run was closed here.
        if (isAgentError(error) && (error.code === 'ask_unknown' || error.code === 'stopped')) return
        void tellFault(error)
      })
    }
  }
  run.subscribe(look)
  look()
}
