import { isToolErrand, type Page, pageRoll, type ToolAnswer, type ToolErrand } from '@interleave/connect/internal'
import { AgentError, type Host } from '@interleave/core'
import { toFailure } from '@interleave/core/internal'
import { beatMs } from './borrowPages.ts'
import { pause } from './pause.ts'

/** One call that a page of this process is offered for. */
export interface LentCall {
  readonly call: string
  /** Marks the calls before this event of the log as no longer awaited. */
  over(seq: number): void
  /** Handles an accepted offer. The result is always sent back, since the call waits for it. */
  perform(taken: TakenOffer): Promise<void>
}

export interface TakenOffer {
  readonly errand: ToolErrand
  /** The length of the log when the call started. */
  readonly length: number
}

export interface LentCallOptions {
  /** Tells what came of it; nothing if the page is gone. */
  readonly tell: (answer?: ToolAnswer) => Promise<unknown>
  /** Says that it is still being done. */
  readonly beat: () => Promise<unknown>
  readonly host: Pick<Host, 'timer'>
}

export function createLentCall(call: string, { tell, beat, host }: LentCallOptions): LentCall {
  const stopping = new AbortController()
  let overAt = -1
  let since = Number.POSITIVE_INFINITY
  const stopIfOver = (): void => {
    if (overAt >= since) stopping.abort(new AgentError('stopped', 'Nobody waits for this call any more.'))
  }
  const tellAnswer = async (answer: ToolAnswer | undefined): Promise<void> => {
    try {
      await tell(answer)
    } catch (error) {
      // It may be too large.
      if (answer) await tell(failedAnswer(answer, error))
    }
  }
  return {
    call,
    over(seq) {
      overAt = seq
      stopIfOver()
    },
    async perform({ errand, length }) {
      since = length
      stopIfOver()
      const { signal } = stopping
      if (signal.aborted) return
      const done = isToolErrand(errand)
        ? performErrand(errand, signal).catch((error: unknown) => failedAnswer(errand, error))
        : Promise.resolve(undefined)
      void beatUntil(done, { beat, host })
      const answer = await done
      if (!signal.aborted) await tellAnswer(answer)
    },
  }
}

const failedAnswer = ({ call }: Pick<ToolErrand, 'call'>, error: unknown): ToolAnswer => ({
  ...{ type: 'failed', call },
  error: toFailure(error, 'tool_failed'),
})

/** Has the page do it that was used last, of those that can. Gives nothing if none is there, or it goes away. */
function performErrand({ call, ...errand }: ToolErrand, signal: AbortSignal): Promise<ToolAnswer | undefined> {
  const page = pageRoll.find(performs({ tool: errand.name, runId: errand.runId }))
  if (!page) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    const sent = page.send(errand, {
      hear(said) {
        if (said.type === 'output' || said.type === 'failed') resolve({ ...said, call })
      },
      onLost: () => resolve(undefined),
    })
    const stop = (): void => {
      sent.abort(signal.reason)
      resolve(undefined)
    }
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Pages that can do it, for this run. */
export const performs =
  ({ tool, runId }: { readonly tool: string; readonly runId: string }) =>
  ({ tools, shows }: Page): boolean =>
    tools.has(tool) && shows(runId)

async function beatUntil(
  over: Promise<unknown>,
  { beat, host }: Pick<LentCallOptions, 'beat' | 'host'>,
): Promise<void> {
  let isOver = false
  const end = (): void => {
    isOver = true
  }
  over.then(end, end)
  for (;;) {
    await pause(beatMs, host)
    if (isOver) return
    // Who does not hear it takes the page for gone.
    await beat().catch(() => {})
  }
}
