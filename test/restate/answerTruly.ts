import { setTimeout as pause } from 'node:timers/promises'
import type { Ask, Run, Signal } from '@interleave/core'
import type { World } from './openWorld.ts'

/**
 * A person who knows what happened: goes on with what is asked, and has a call that did not happen made again. Where a process was
 * stopped, what it was about to send leaves when it wakes: the look has to be taken later then, since no request can be called back.
 */
export async function answerTruly(run: Run, { effects }: Pick<World, 'effects'>, lookMs = 0): Promise<Signal> {
  const answerTo = (ask: Ask): unknown => {
    if (ask.kind !== 'choice') return true
    return effects.has(`${run.id}/${ask.id.replace(/\/doubt$/, '')}`) ? 'done' : 'again'
  }
  for (;;) {
    const signal = await run.settled
    if (signal.type !== 'inputNeeded') return signal
    if (lookMs > 0 && signal.asks.some(({ id }) => id.endsWith('/doubt'))) await pause(lookMs)
    for (const ask of signal.asks) {
      // Of several questions, one may be answered and asked anew meanwhile.
      await run.reply(ask.id, answerTo(ask)).catch((error: { code?: string }) => {
        if (error.code !== 'ask_unknown') throw error
      })
    }
  }
}
