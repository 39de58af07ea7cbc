import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { type RunLog, stateOf, type TurnNotes } from './runLog.ts'
import { type Call, callsOf, retriedTurn } from './timelineRows.ts'

/** The unit that an event belongs to: a turn, a tool call, a question, or only itself. */
export type Item = TurnItem | CallItem | AskItem | EventItem

export interface TurnItem {
  readonly type: 'turn'
  readonly iteration: number
  /** Missing while it streams. */
  readonly thought: EventOf<'thought'> | undefined
  readonly notes: TurnNotes | undefined
  readonly events: readonly Event[]
}
export interface CallItem {
  readonly type: 'call'
  readonly call: Call
  /** Everything that belongs to it: when it was begun, what it asked and noted, what came of it. */
  readonly events: readonly Event[]
}
export interface AskItem {
  readonly type: 'ask'
  readonly asked: EventOf<'asked'>
  readonly events: readonly Event[]
}
export interface EventItem {
  readonly type: 'event'
  readonly event: Event
  readonly events: readonly Event[]
}

/** Returns the unit of the event with this `seq`. After the last event, that is the streaming turn. */
export function itemAt(log: RunLog, seq: number): Item | undefined {
  const event = log.events[seq]
  const retried = event && retriedTurn(event)
  if (retried !== undefined) return turnItem(log, retried)
  if (!event) return seq === log.events.length ? streamingTurn(log) : undefined
  switch (event.type) {
    case 'thought':
      return turnItem(log, event.iteration)
    case 'drafted':
      return turnItem(log, turnAfter(log, seq))
    case 'called':
    case 'observed':
      return callItem(log, event.call) ?? alone(event)
    case 'amended':
      return (typeof event.of === 'string' ? callItem(log, event.of) : undefined) ?? alone(event)
    case 'asked':
      return askItem(log, event)
    case 'replied':
    case 'withdrawn': {
      const asked = log.events.findLast((one) => one.type === 'asked' && one.ask.id === event.ask && one.seq < seq)
      return asked?.type === 'asked' ? askItem(log, asked) : alone(event)
    }
    default:
      return alone(event)
  }
}

const alone = (event: Event): EventItem => ({ type: 'event', event, events: [event] })

function streamingTurn(log: RunLog): TurnItem | undefined {
  const iteration = turnAfter(log, log.events.length)
  return log.turns.has(iteration) ? turnItem(log, iteration) : undefined
}

const turnAfter = ({ events }: RunLog, seq: number): number =>
  (events.findLast((one) => one.type === 'thought' && one.seq < seq)?.iteration ?? 0) + 1

function turnItem({ events, turns }: RunLog, iteration: number): TurnItem {
  const thought = events.find((event) => event.type === 'thought' && event.iteration === iteration)
  return {
    type: 'turn',
    iteration,
    thought: thought?.type === 'thought' ? thought : undefined,
    notes: turns.get(iteration),
    events: thought ? [thought] : [],
  }
}

function callItem({ events }: RunLog, key: string): CallItem | undefined {
  const call = callsOf(stateOf(events)).find((one) => one.key === key)
  return call && { type: 'call', call, events: events.filter((event) => isOfCall(event, key)) }
}

function isOfCall(event: Event, key: string): boolean {
  if (event.type === 'called' || event.type === 'observed' || event.type === 'noted') return event.call === key
  if (event.type === 'asked') return event.ask.call === key
  if (event.type === 'amended') return event.of === key
  return (event.type === 'replied' || event.type === 'withdrawn') && event.ask.startsWith(`${key}/`)
}

function askItem({ events }: RunLog, asked: EventOf<'asked'>): AskItem {
  const after = events.slice(asked.seq + 1)
  const again = after.findIndex((event) => event.type === 'asked' && event.ask.id === asked.ask.id)
  const until = again < 0 ? after : after.slice(0, again)
  const end = until.find(
    (event) => (event.type === 'replied' || event.type === 'withdrawn') && event.ask === asked.ask.id,
  )
  return { type: 'ask', asked, events: end ? [asked, end] : [asked] }
}
