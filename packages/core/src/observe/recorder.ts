import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { hideReasoning } from '../hideReasoning.ts'
import type { Observer } from '../run.ts'
import { type RunFile, runFile } from '../runFile.ts'
import type { RunState } from '../state.ts'

export interface Recorder extends Observer {
  /** Everything since the recorder was attached, as plain JSON. Attach it at the start of a run. */
  export(): RunFile
}

/**
 * Records the events of a run for later viewing, as an observer. For a run with hidden thoughts it records the run's
 * own `events()`.
 */
export function recorder({ live: keepLive = false }: { live?: boolean } = {}): Recorder {
  const events: Event[] = []
  const live: { after: number; event: LiveEvent }[] = []
  let hidden = false
  const hide = hideReasoning({ mayCall: true })
  const keep = (event: AnyEvent): void => {
    if (event.type === 'rewound') events.length = Math.min(events.length, event.to)
    if (isKept(event)) events.push(event)
    else if (keepLive) live.push({ after: events.length, event })
  }
  return {
    onEvent(event: AnyEvent, { exposeReasoning }: RunState) {
      hidden = exposeReasoning === false
      if (hidden) hide(event).forEach(keep)
      else keep(event)
    },
    export: () => runFile([...events], { live: [...live], ...(hidden && { thoughts: false }) }),
  }
}
