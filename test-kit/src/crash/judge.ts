import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import type { Call } from '@interleave/core/steps'
import { asksAboutCall as isDoubt } from '../chaos/chaos.ts'
import { interruptedCall } from '../interruptedCall.ts'
import type { Played } from './play.ts'
import type { Script } from './script.ts'
import type { Deed } from './world.ts'

/** Returns the faults of a run that crashed, compared with the same run that did not. */
export function judge(script: Script, whole: Played, crashed: Played): readonly string[] {
  return [...differences(script, whole, crashed), ...wrongDeeds(crashed), ...tooManyQuestions(script, whole, crashed)]
}

const known = new WeakMap<readonly Event[], Happenings>()
const none: readonly Event[] = []

/** Differences of the logs that no crash explains. */
function* differences({ raced = [], late = [] }: Script, whole: Played, crashed: Played): Generator<string> {
  const compared = (log: readonly Event[]): readonly Event[] =>
    late.length > 0 ? log.filter((event) => event.type !== 'claimed' || !late.includes(event.call)) : log
  for (const id of new Set([...whole.logs.keys(), ...crashed.logs.keys()])) {
    const [before, after] = [whole.logs.get(id) ?? none, crashed.logs.get(id) ?? none]
    const wanted = known.get(before) ?? unexplained(compared(before))
    known.set(before, wanted)
    const is = unexplained(compared(after))
    const open = new Set([...raced, ...interruptedIn(after)].map((call) => `end of ${call}`))
    // A child run whose last write was refused has its end in its parent's log.
    if (id !== 'r' && crashed.world.refusals > 0) open.add('answer')
    for (const what of new Set([...Object.keys(wanted), ...Object.keys(is)])) {
      if (open.has(what) && Boolean(wanted[what]) === Boolean(is[what] || what === 'answer')) continue
      const [a, b] = [wanted[what]?.join('\n  '), is[what]?.join('\n  ')]
      if (a !== b) yield `${id}: ${what} is\n  ${b}\nand not\n  ${a}`
    }
  }
}

/** Returns the effects that happened twice although they must not, not at all although the log says so, or for no call of the log. */
export function* wrongDeeds({ logs, world }: Played): Generator<string> {
  const calls = new Map([...logs].flatMap(([id, log]) => callsIn(log).map((call) => [`${id}/${call.key}`, call])))
  const interrupted = new Set([...logs].flatMap(([id, log]) => interruptedIn(log).map((key) => `${id}/${key}`)))
  const done = grouped(world.deeds, ({ kind, key }) => `${kind} ${key}`)
  for (const [which, deeds] of done) {
    const [first] = deeds
    if (!first || first.kind === 'model') continue
    const call = calls.get(first.key)
    if (first.kind === 'tool' && !(call && deeds.every((deed) => fits(deed, call)))) yield `${which} has no such call.`
    if (first.kind === 'tool' && call?.claimedAt === undefined) yield `${which} was done and had not begun.`
    if (deeds.length === 1 || isRepeatable(first)) continue
    if (first.kind === 'tool') yield `${which} was done ${deeds.length} times.`
    else if (!interrupted.has(first.key)) yield `${which} was done ${deeds.length} times, and nobody was asked.`
  }
  for (const [call, deeds] of grouped(world.deeds, (deed) => deed.call)) {
    if (call !== undefined && new Set(deeds.map(({ key }) => key)).size > 1) yield `${call} was told several keys.`
  }
  for (const [key, { name, error, result }] of calls) {
    if (!result) yield `${key} is open.`
    else if (doers.has(name) && !error && !done.has(`tool ${key}`)) yield `${key} has a result and was not done.`
  }
}

function grouped<Key>(deeds: readonly Deed[], keyOf: (deed: Deed) => Key): ReadonlyMap<Key, readonly Deed[]> {
  const groups = new Map<Key, Deed[]>()
  for (const deed of deeds) {
    const group = groups.get(keyOf(deed))
    if (group) group.push(deed)
    else groups.set(keyOf(deed), [deed])
  }
  return groups
}

/** Tools of which each call does what they are called for. */
const doers: ReadonlySet<string> = new Set(['look', 'charge', 'pay', 'set', 'book'])
/** The declared effects: `readOnly`, `idempotent`, and those of a step by `once`. */
const isRepeatable = ({ name }: Deed): boolean => name === 'look' || name === 'set' || name === 'paid'
const fits = ({ name, input }: Deed, call: Call): boolean => {
  const { n = 0 } = call.input as { n?: number }
  return name === call.name && n === (input as { n: number }).n
}

const callsIn = (log: readonly Event[]): Call[] =>
  fold(log)
    .history.flat()
    .flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))

/** Yields a fault for each question too many: a crash costs the running turn, and one that was not yet written. */
function* tooManyQuestions({ sideBySide = 1 }: Script, whole: Played, { world }: Played): Generator<string> {
  const modelsOf = ({ deeds }: Played['world']): number => deeds.filter(({ kind }) => kind === 'model').length
  const [before, after] = [modelsOf(whole.world), modelsOf(world)]
  const most = before + 2 * sideBySide * (world.crashes + world.refusals)
  if (after > most) yield `Models were asked ${after} times, and ${before} without a fault.`
}

/** The events of each thing, such as a call or a question, in their order. */
export type Happenings = Readonly<Record<string, readonly string[]>>

/**
 * Returns a log without the traces that a crash explains:
 *
 * - `called` occurs again when a call resumes, and no limit counts it twice.
 * - The run rests again for the same reason, and leaves a rest that it should not have entered.
 * - A user is asked whether a call ran (`…/interruption`). Its result is then what the user says: see `doubtedIn`.
 * - The usage of child runs counts in other portions (`…>usage`), with the same sum.
 * - Lost attempts of a model are made again (`retries/…`), and a rejected claim is `released`.
 * - Events have other positions in the log, and other times. Concurrent work has no order.
 */
export function unexplained(log: readonly Event[]): Happenings {
  const happened: Record<string, string[]> = {}
  for (const event of log) {
    const [what, detail] = named(event)
    if (what === undefined) continue
    // A replacer takes its time, and few events have positions in them.
    const text = JSON.stringify(detail, event.type === 'noted' || event.type === 'amended' ? withoutPlaces : undefined)
    happened[what] ??= []
    if (happened[what].at(-1) !== text || event.type === 'thought' || event.type === 'said') happened[what].push(text)
  }
  const { usage, toolCalls, iteration, asks, pending } = fold(log)
  return { ...happened, sums: [JSON.stringify({ usage, toolCalls, iteration, asks, pending: pending.length })] }
}

function named({ seq: _, at: __, iteration: ___, ...event }: Event): [what?: string, detail?: unknown] {
  switch (event.type) {
    case 'claimed':
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
      return />usage$|^retries\//.test(event.key) ? [] : [`note ${event.call} ${event.key}`, event]
    case 'released':
      return []
    case 'said':
      return [`words of ${event.by}`, event]
    case 'thought':
      return ['thoughts', { ...event, readUntil: 0, ms: 0 }]
    case 'settled':
      return event.signal.type === 'answer' ? ['answer', event] : []
    case 'resumed':
      return []
    default:
      return [event.type, event]
  }
}

const places = new Set(['seq', 'until', 'request', 'of', 'since', 'visit'])
const withoutPlaces = (key: string, value: unknown): unknown => (places.has(key) ? undefined : value)

/** Calls that a user was asked about. */
export const interruptedIn = (log: readonly Event[]): string[] =>
  log.flatMap((event) => {
    const call = event.type === 'asked' && !event.ask.id.includes('>') ? interruptedCall(event.ask) : undefined
    return call === undefined ? [] : [call]
  })
