import type { Event } from '@interleave/core'
import { assertOption, checkRunFile, type ToolCallPart } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'

/** A run file as a replay reads it. */
export class Recording {
  /** The events of every replay: without drafts and notes of retries, which depend on timing. */
  readonly events: readonly Event[]
  readonly started: EventOf<'started'>
  /** The events that are not replayed, by the number of those before them. */
  readonly #timed = new Map<number, Event[]>()
  /** The logs of its child runs, by their ids. */
  readonly #children: ReadonlyMap<string, readonly Event[]>

  /** Throws `log_invalid` for anything but a run file. */
  constructor(file: unknown) {
    assertOption(typeof file !== 'string', 'The file of the run is a text. Give JSON.parse(text).')
    assertOption(!(file instanceof Promise), 'The file of the run is a promise. Await it first.')
    const { events, below, thoughts } = checkRunFile(file)
    const [started] = events
    if (started?.type !== 'started') throw new Error('The log of the run has no first event.')
    this.events = events.filter(isReplayed)
    let before = 0
    for (const event of events) {
      if (isReplayed(event)) before++
      else this.#timed.set(before, [...(this.#timed.get(before) ?? []), event])
    }
    this.started = started
    this.#children = new Map(below.map((log) => [runIdOf(log), log]))
    const why = thoughts === false ? 'it was exported without thoughts' : whyNot(this.events)
    if (why !== undefined) throw new Error(`This run cannot be replayed: ${why}.`)
  }

  /** Returns the index of the first event from `from` on that fits; -1 if there is none. */
  indexFrom(from: number, fits: (event: Event) => boolean): number {
    return this.events.findIndex((event, index) => index >= from && fits(event))
  }

  /** Returns the drafts and notes of retries that follow this many of the events. */
  timedAfter(count: number): readonly Event[] {
    return this.#timed.get(count) ?? []
  }

  /** Returns the recording of a child run; undefined if the file has no log of it. */
  child(runId: string): Recording | undefined {
    const events = this.#children.get(runId)
    const below = [...this.#children.values()].filter((log) => runIdOf(log).startsWith(`${runId}/`))
    return events && new Recording({ format: 'interleave.debug', formatVersion: 1, events, below })
  }

  /** Returns the name of a call's tool, by a key such as `3/tool/0`. */
  toolOf(call: string): string | undefined {
    const [iteration, , index] = call.split('/')
    const thoughts = this.events.filter((event) => event.type === 'thought')
    const thought = thoughts.findLast((event) => String(event.iteration) === iteration)
    return thought && callsIn(thought)[Number(index)]?.toolName
  }
}

/** Returns the calls of a turn that the agent runs. */
export const callsIn = ({ parts }: EventOf<'thought'>): readonly ToolCallPart[] =>
  parts.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part] : []))

/** Returns the key of the call that an event is about. */
export const callOf = (event: Event): string | undefined =>
  event.type === 'asked' || event.type === 'allowed' ? event.ask.call : 'call' in event ? event.call : undefined

/** Returns true for events that do not depend on the time that models and networks take. */
export const isReplayed = (event: Event): boolean =>
  event.type !== 'drafted' && !(event.type === 'noted' && event.key.startsWith('retries/'))

export const runIdOf = ([first]: readonly Event[]): string => (first?.type === 'started' ? first.runId : '')

function whyNot(events: readonly Event[]): string | undefined {
  for (const event of events) {
    if (event.type === 'imported') return 'a part of it came from another file. Test that file'
    if (isExternal(event)) return 'an external agent worked on it, and its log is not in the file'
    if (event.type === 'allowed' && event.forGood) return 'another run allowed a call of it for good'
  }
  return undefined
}

/** Returns true for questions and notes of an external agent. */
const isExternal = (event: Event): boolean =>
  (event.type === 'noted' && event.key.startsWith('external/')) ||
  (event.type === 'asked' && /^\d+\/external\//.test(event.ask.id))
