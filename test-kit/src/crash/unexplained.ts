import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'

/** The events of each thing, such as a call or a question, in their order. */
export type Happenings = Readonly<Record<string, readonly string[]>>

/**
 * Returns a log without the traces that a crash explains:
 *
 * - `called` occurs again when a call resumes, and no limit counts it twice.
 * - The run rests again for the same reason, and leaves a rest that it should not have entered.
 * - A user is asked whether a call ran (`…/doubt`). Its result is then what the user says: see `doubtedIn`.
 * - The usage of child runs counts in other portions (`…>usage`), with the same sum.
 * - Lost attempts of a model are made again (`retries/…`), and a rejected claim is taken back (`…/unbegun`).
 * - Events have other positions in the log, and other times. Concurrent work has no order.
 */
export function unexplained(log: readonly Event[]): Happenings {
  const happened: Record<string, string[]> = {}
  for (const event of log) {
    const [what, detail] = named(event)
    if (what === undefined) continue
    // A replacer takes its time, and few events have places in them.
    const text = JSON.stringify(detail, event.type === 'noted' || event.type === 'amended' ? withoutPlaces : undefined)
    happened[what] ??= []
    if (happened[what].at(-1) !== text || event.type === 'thought' || event.type === 'said') happened[what].push(text)
  }
  const { usage, toolCalls, iteration, asks, pending } = fold(log)
  return { ...happened, sums: [JSON.stringify({ usage, toolCalls, iteration, asks, pending: pending.length })] }
}

function named({ seq: _, at: __, iteration: ___, ...event }: Event): [what?: string, detail?: unknown] {
  switch (event.type) {
    case 'called':
      return [`begin of ${event.call}`, event]
    case 'observed':
      return [`end of ${event.call}`, { ...event, ms: 0 }]
    case 'asked':
      return isDoubt(event.ask.id) ? [] : [`question ${event.ask.id}`, event]
    case 'replied':
      return isDoubt(event.ask) ? [] : [`question ${event.ask}`, event.value]
    case 'withdrawn':
      return isDoubt(event.ask) ? [] : [`question ${event.ask}`, event]
    case 'noted':
      return /(>usage|\/unbegun)$|^retries\//.test(event.key) ? [] : [`note ${event.call} ${event.key}`, event]
    case 'said':
      return [`words of ${event.by}`, event]
    case 'thought':
      return ['thoughts', { ...event, heard: 0, ms: 0 }]
    case 'rested':
      return event.signal.type === 'answer' ? ['answer', event] : []
    case 'resumed':
      return []
    default:
      return [event.type, event]
  }
}

const isDoubt = (ask: string): boolean => ask.endsWith('/doubt')

const places = new Set(['seq', 'until', 'request', 'of', 'since', 'visit'])
const withoutPlaces = (key: string, value: unknown): unknown => (places.has(key) ? undefined : value)

/** Calls that a person was asked about. */
export const doubtedIn = (log: readonly Event[]): string[] =>
  log.flatMap((event) =>
    event.type === 'asked' && isDoubt(event.ask.id) && !event.ask.id.includes('>')
      ? [event.ask.id.slice(0, -'/doubt'.length)]
      : [],
  )
