import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { hideReasoning } from '../hideReasoning.ts'
import { fold } from '../reduce.ts'
import type { Observer } from '../run.ts'
import type { RunState } from '../state.ts'

/** What a recorder exports: a file that shows what a run did, wherever it is opened. */
export interface DebugBundle {
  readonly format: 'interleave.debug'
  readonly formatVersion: 1
  readonly runId: string
  readonly agent: string
  readonly version: string
  readonly events: readonly Event[]
  /** Live events, each after as many kept ones as `after` says. Only where the recorder was to keep them. */
  readonly live: readonly { readonly after: number; readonly event: LiveEvent }[]
}

export interface Recorder extends Observer {
  /** Everything since the recorder was attached, as plain JSON. Attach it at the start of a run. */
  export(): DebugBundle
}

/**
 * Keeps what happens in a run for somebody to look at later. An observer like any other: the run does not know of it. Of a
 * run that does not expose its agent's thoughts, it keeps what the run's own `events()` tell.
 */
export function recorder({ live: keepLive = false }: { live?: boolean } = {}): Recorder {
  const events: Event[] = []
  const live: { after: number; event: LiveEvent }[] = []
  const hide = hideReasoning({ mayCall: true })
  const keep = (event: AnyEvent): void => {
    if (isKept(event)) events.push(event)
    else if (keepLive) live.push({ after: events.length, event })
  }
  return {
    onEvent(event: AnyEvent, { exposeReasoning }: RunState) {
      if (exposeReasoning === false) hide(event).forEach(keep)
      else keep(event)
    },
    export() {
      const { runId, agent, version } = fold(events)
      return {
        format: 'interleave.debug',
        formatVersion: 1,
        runId,
        agent,
        version,
        events: [...events],
        live: [...live],
      }
    },
  }
}
