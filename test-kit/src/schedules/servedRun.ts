import type { OwnedRun } from '@interleave/connect/internal'
import type { Agent, Listener, Run } from '@interleave/core'
import { toJson } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { fold, isKept } from '@interleave/core/observe'
import { openHandler } from '@interleave/server/internal'
import { testSecret } from '../handlerCalls.ts'
import type { Life } from './life.ts'

/** A run in the process of a server, and a client who looks at it from outside. */
export interface ServedRun {
  /** I4: looks at the run as a client does. */
  look(): Promise<void>
  /** I4: looks at how much of the run clients may be shown. */
  glance(): void
}

interface Serving {
  readonly life: Life
  readonly agent: Agent
  readonly journal: Journal
  readonly observers: readonly Listener[]
  readonly onRun: (run: Run) => void
  readonly onFailure: (error: unknown) => void
}

const user = 'ada'

/** The id under which the journal has a run that a client named. */
export const servedRunId = (runId: string): string => `${user}/${runId.padStart(32, '0')}`

/** Opens a server on this life, and the run in it. */
export function serveRun({ life, agent, journal, observers, onRun, onFailure }: Serving): ServedRun {
  const told = (run: Run): Run => {
    onRun(run)
    return run
  }
  const observed = {
    ...agent,
    start: (input, options) => told(agent.start(input, { ...options, observers })),
    resume: async (from, options) => told(await agent.resume(from, { ...options, observers })),
  } as Agent
  const { handle, context } = openHandler({
    agents: [observed],
    journal,
    host: life.host,
    secret: testSecret,
    authorize: () => user,
  })
  const { runs } = context
  const { runId } = life
  const opening = life.emitted.of('').length > 0 ? runs.openRun(runId) : runs.startRun(observed, 'Go', { id: runId })
  const show = ({ view }: OwnedRun): void => {
    view.subscribe((event) => {
      // That the journal takes no more is told, and it cannot be in the journal.
      if (!isKept(event) || event === view.fault) return
      life.witness.shows('A stream', event.seq, Math.min(event.seq, life.witness.journal.length - 1))
    })
  }
  opening.then(show).catch(onFailure)

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
