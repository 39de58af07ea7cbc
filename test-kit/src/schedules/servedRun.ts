import type { OwnedRun } from '@interleave/connect/internal'
import { toJson } from '@interleave/core/internal'
import { fold, isKept } from '@interleave/core/observe'
import { openHandler } from '@interleave/server/internal'
import { testSecret } from '../handlerCalls.ts'
import { type Opening, observedAgent } from './opening.ts'

/** A run in the process of a server, and a client who looks at it from outside. */
export interface ServedRun {
  /** I4: looks at the run as a client does. */
  look(): Promise<void>
  /** I4: looks at how much of the run clients may be shown. */
  glance(): void
}

const user = 'ada'

/** The id under which the journal has a run that a client named. */
export const servedRunId = (runId: string): string => `${user}/${runId.padStart(32, '0')}`

/** Opens a server on this life, and the run in it. */
export function serveRun(opening: Opening): ServedRun {
  const { life, journal, onFailure } = opening
  const observed = observedAgent(opening)
  const { handle, context } = openHandler({
    agents: [observed],
    journal,
    host: life.host,
    secret: testSecret,
    authorize: () => user,
  })
  const { runs } = context
  const { runId } = life
  const opened = life.emitted.of('').length > 0 ? runs.openRun(runId) : runs.startRun(observed, 'Go', { id: runId })
  const show = ({ view }: OwnedRun): void => {
    view.subscribe((event) => {
      // That the journal takes no more is told, and it cannot be in the journal.
      if (!isKept(event) || event === view.fault) return
      life.witness.shows('A stream', event.seq, Math.min(event.seq, life.witness.journal.length - 1))
    })
  }
  opened.then(show).catch(onFailure)

  return {
    async look() {
      const response = await handle(new Request(`https://edge.test/v1/runs/${runId.slice(user.length + 1)}`))
      if (!response.ok) return
      const shown = (await response.json()) as { length: number; rest?: string; asks: { ask: { id: string } }[] }
      const { rest, asks } = fold(life.witness.journal.slice(0, shown.length))
      const length = Math.min(shown.length, life.witness.journal.length)
      life.witness.shows(
        'A client',
        toJson({ length: shown.length, rest: shown.rest, asks: shown.asks.map(({ ask }) => ask.id) }),
        toJson({ length, rest: rest?.type, asks: asks.map(({ id }) => id) }),
      )
    },
    glance() {
      const { length } = runs.findRun(runId)?.view.log ?? []
      life.witness.shows('A client', length, Math.min(length, life.witness.journal.length))
    },
  }
}
