import type { Event } from './event.ts'
import * as shapes from './eventShape.ts'
import type { Json } from './json.ts'
import type { Ask } from './question.ts'
import type { Signal } from './signal.ts'

/** Returns a function that converts the ids of a run and its descendants to those of another run. */
export const idChange =
  (from: string, to: string) =>
  (id: string): string =>
    id === from || id.startsWith(`${from}/`) ? to + id.slice(from.length) : id

/**
 * Converts a log to that of a run with another id. Run ids occur in `started`, in questions of child runs, and in their
 * notes.
 */
export function renameRun(events: readonly Event[], change: (id: string) => string): Event[] {
  const inAsk = <A extends Ask>(ask: A): A =>
    ask.from ? { ...ask, from: { ...ask.from, runId: change(ask.from.runId) } } : ask
  return events.map((event) => {
    switch (event.type) {
      case 'started': {
        const { parent, runId } = event
        return { ...event, runId: change(runId), ...(parent && { parent: { ...parent, runId: change(parent.runId) } }) }
      }
      case 'asked':
        return { ...event, ask: inAsk(event.ask) }
      case 'rested':
        return { ...event, signal: inSignal(event.signal, inAsk) }
      case 'noted':
        return renameNote(event, change)
      default:
        return event
    }
  })
}

function inSignal(signal: Signal, inAsk: <A extends Ask>(ask: A) => A): Signal {
  if (signal.type === 'limitReached') return { ...signal, ask: inAsk(signal.ask) }
  if (signal.type !== 'inputNeeded') return signal
  const [first, ...others] = signal.asks
  return { ...signal, asks: [inAsk(first), ...others.map(inAsk)] }
}

type Noted = Extract<Event, { type: 'noted' }>

/** Renames the logs of child runs in notes, for runs without a journal. */
function renameNote(event: Noted, change: (id: string) => string): Noted {
  const [, id = '', place = ''] = /^(.*)>log\/(\d+)$/s.exec(event.key) ?? []
  if (!id || !Array.isArray(event.value) || event.value.some((kept) => shapes.event(kept) !== undefined)) return event
  const value = renameRun(event.value as unknown as Event[], change) as unknown as Json
  return { ...event, key: `${change(id)}>log/${place}`, value }
}
