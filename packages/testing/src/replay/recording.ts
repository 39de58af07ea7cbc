import type { Ask, Event } from '@interleave/core'
import { assertOption, checkRunFile, type ToolCallPart } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { addTo, LogIndex } from './logIndex.ts'

/** A run file as a replay reads it. */
export class Recording {
  /** The events of every replay: without drafts and notes of retries, which depend on timing. */
  readonly events: readonly Event[]
  readonly started: EventOf<'started'>
  /** The positions of the events. */
  readonly index: LogIndex
  /** The events that are not replayed, by the number of those before them. */
  readonly #timed = new Map<number, Event[]>()
  /** The logs of its child runs, by their ids. */
  readonly #children: ReadonlyMap<string, readonly Event[]>
  /** The logs of the descendants of a run, by its id. */
  readonly #below = new Map<string, (readonly Event[])[]>()
  #resuming: ReadonlySet<string | undefined> | undefined

  /** Throws `log_invalid` for anything but a run file. */
  constructor(file: unknown) {
    assertOption(typeof file !== 'string', 'The file of the run is a text. Give JSON.parse(text).')
    assertOption(!(file instanceof Promise), 'The file of the run is a promise. Await it first.')
    const { events, below, thoughts } = checkRunFile(file)
    const [started] = events
    if (started?.type !== 'started') throw new Error('The log of the run has no first event.')
    this.events = events.filter(isReplayed)
    this.index = new LogIndex(this.events)
    let before = 0
    for (const event of events) {
      if (isReplayed(event)) before++
      else addTo(this.#timed, before, event)
    }
    this.started = started
    this.#children = new Map(below.map((log) => [runIdOf(log), log]))
    for (const [id, log] of this.#children)
      for (const { index: end } of id.matchAll(/\//g)) addTo(this.#below, id.slice(0, end), log)
    const why = thoughts === false ? 'it was exported without thoughts' : whyNot(this.events)
    if (why !== undefined) throw new Error(`This run cannot be replayed: ${why}.`)
  }

  /** Returns the index of the first event from `from` on that fits; -1 if there is none. */
  indexFrom(from: number, fits: (event: Event) => boolean): number {
    for (let at = from; at < this.events.length; at++) if (fits(this.events[at] as Event)) return at
    return -1
  }

  /** Returns the drafts and notes of retries that follow this many of the events. */
  timedAfter(count: number): readonly Event[] {
    return this.#timed.get(count) ?? []
  }

  /** Returns the recording of a child run; undefined if the file has no log of it. */
  child(runId: string): Recording | undefined {
    const events = this.#children.get(runId)
    const below = this.#below.get(runId) ?? []
    return events && new Recording({ format: 'interleave.debug', formatVersion: 1, events, below })
  }

  /** Returns the name of a call's tool, by a key such as `3/tool/0`. */
  toolOf(call: string): string | undefined {
    const [iteration, , index] = call.split('/')
    const thought = this.events[this.index.all(`thought ${iteration}`).at(-1) ?? -1]
    return thought?.type === 'thought' ? callsIn(thought)[Number(index)]?.toolName : undefined
  }

  /** Returns true if calls of the tool resume after a stop. */
  resumes(tool: string): boolean {
    this.#resuming ??= new Set(
      this.events.flatMap((event) => (event.type === 'claimed' && event.resumes ? [this.toolOf(event.call)] : [])),
    )
    return this.#resuming.has(tool)
  }

  /** Returns the question for approval with a name, such as `approval 3/tool/0` or `approval of pay`. */
  approval(name: string): ApprovalAsk | undefined {
    const event = this.events[this.index.first(name)]
    const ask = event?.type === 'asked' || event?.type === 'permitted' ? event.ask : undefined
    return ask?.kind === 'approval' ? ask : undefined
  }
}

type ApprovalAsk = Extract<Ask, { kind: 'approval' }>

/** Returns the calls of a turn that the agent runs. */
export const callsIn = ({ parts }: EventOf<'thought'>): readonly ToolCallPart[] =>
  parts.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part] : []))

/** Returns true for events that do not depend on the time that models and networks take. */
export const isReplayed = (event: Event): boolean =>
  event.type !== 'drafted' && !(event.type === 'noted' && event.key.startsWith('retries/'))

export const runIdOf = ([first]: readonly Event[]): string => (first?.type === 'started' ? first.runId : '')

function whyNot(events: readonly Event[]): string | undefined {
  for (const event of events) {
    if (event.type === 'imported') return 'a part of it came from another file. Test that file'
    if (isExternal(event)) return 'an external agent worked on it, and its log is not in the file'
    if (event.type === 'permitted' && event.persistent) return 'another run allowed a call of it for good'
  }
  return undefined
}

/** Returns true for questions and notes of an external agent. */
const isExternal = (event: Event): boolean =>
  (event.type === 'noted' && event.key.startsWith('external/')) ||
  (event.type === 'asked' && /^\d+\/external\//.test(event.ask.id))
