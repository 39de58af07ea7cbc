import type { Event } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import type { RunLog, TurnNotes } from './runLog.ts'
import { type Call, callsByKey, retriedTurn } from './timelineRows.ts'

/** The unit that an event belongs to: a turn, a tool call, a question, or only itself. */
export type Item = TurnItem | CallItem | AskItem | EventItem

interface WithEvents {
  /** All events of the unit. */
  readonly events: readonly Event[]
}
export interface TurnItem extends WithEvents {
  readonly type: 'turn'
  readonly iteration: number
  /** The turn. Missing while it streams. */
  readonly thought: EventOf<'thought'> | undefined
  readonly notes: TurnNotes | undefined
}
export interface CallItem extends WithEvents {
  readonly type: 'call'
  readonly call: Call
}
export interface AskItem extends WithEvents {
  readonly type: 'ask'
  readonly asked: EventOf<'asked'>
}
export interface EventItem extends WithEvents {
  readonly type: 'event'
  readonly event: Event
}

/** Returns the unit of the event with this `seq`. After the last event, that is the streaming turn. */
export function itemAt(log: RunLog, seq: number): Item | undefined {
  const { events, turns } = log
  const event = events[seq]
  if (!event) {
    const iteration = turnAfter(events, seq)
    return seq === events.length && turns.has(iteration) ? turnItem(log, iteration) : undefined
  }
  return partOf(log, event) ?? { type: 'event', event, events: [event] }
}

function partOf(log: RunLog, event: Event): Item | undefined {
  const { events } = log
  switch (event.type) {
    case 'thought':
      return turnItem(log, event.iteration)
    case 'drafted':
      return turnItem(log, turnAfter(events, event.seq))
    case 'noted': {
      const turn = retriedTurn(event)
      return turn === undefined ? undefined : turnItem(log, turn)
    }
    case 'claimed':
    case 'observed':
      return callItem(events, event.call)
    case 'amended':
      return typeof event.target === 'string' ? callItem(events, event.target) : undefined
    case 'permitted':
      return event.ask.call === undefined ? undefined : callItem(events, event.ask.call)
    case 'asked':
      return askItem(events, event)
    case 'replied':
    case 'withdrawn': {
      const asked = events.findLast((one) => one.type === 'asked' && one.ask.id === event.ask && one.seq < event.seq)
      return asked?.type === 'asked' ? askItem(events, asked) : undefined
    }
    default:
      return undefined
  }
}

const turnAfter = (events: readonly Event[], seq: number): number =>
  (events.findLast((one) => one.type === 'thought' && one.seq < seq)?.iteration ?? 0) + 1

function turnItem({ events, turns }: RunLog, iteration: number): TurnItem {
  const thought = events.filter((event) => event.type === 'thought').find((event) => event.iteration === iteration)
  return { type: 'turn', iteration, thought, notes: turns.get(iteration), events: thought ? [thought] : [] }
}

function callItem(events: readonly Event[], key: string): CallItem | undefined {
  const call = callsByKey(events).get(key)
  return call && { type: 'call', call, events: events.filter((event) => isOfCall(event, key)) }
}

function isOfCall(event: Event, key: string): boolean {
  switch (event.type) {
    case 'claimed':
    case 'observed':
    case 'noted':
      return event.call === key
    case 'asked':
    case 'permitted':
      return event.ask.call === key
    case 'amended':
      return event.target === key
    case 'replied':
    case 'withdrawn':
      return event.ask.startsWith(`${key}/`)
    default:
      return false
  }
}

/** Returns the unit of a question, which ends with its reply or withdrawal, unless it was asked again before that. */
function askItem(events: readonly Event[], asked: EventOf<'asked'>): AskItem {
  const { id } = asked.ask
  const next = events
    .slice(asked.seq + 1)
    .find((event) =>
      event.type === 'asked'
        ? event.ask.id === id
        : (event.type === 'replied' || event.type === 'withdrawn') && event.ask === id,
    )
  return { type: 'ask', asked, events: next && next.type !== 'asked' ? [asked, next] : [asked] }
}
