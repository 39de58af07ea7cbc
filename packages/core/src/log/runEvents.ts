import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { joinLive } from '../draft.ts'
import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import type { Part } from '../part.ts'
import type { EventOf, EventsOptions, Run } from '../run.ts'
import { awaitsProvider, type RunState } from '../state.ts'
import type { Feed, Log } from './log.ts'

/** Returns the events of a log as they arrive, for any number of consumers, each at its own position. */
export function eventsOf(
  log: Source,
  { from = 0, follow = false, filter }: StreamOptions = {},
): AsyncIterable<AnyEvent> {
  return { [Symbol.asyncIterator]: () => iterate(log, { from, follow, shown: filter?.() }) }
}

/** The parts of a feed or a log that it reads. */
export type Source = Pick<Feed, 'state' | 'events' | 'subscribe'>

interface StreamOptions extends EventsOptions {
  /** Creates the filter of one consumer, which decides what it receives of each event. */
  readonly filter?: () => Filter | undefined
}
export type Filter = (event: AnyEvent) => readonly AnyEvent[]

type Result = IteratorResult<AnyEvent, undefined>
interface Place extends Required<EventsOptions> {
  readonly shown: Filter | undefined
}

function iterate(log: Source, { from, follow, shown }: Place): AsyncIterator<AnyEvent> {
  const past = log.events.filter(({ seq }) => seq >= from)
  const queue: AnyEvent[] = shown ? past.flatMap(shown) : past
  let head = 0
  /** Calls of `next` that wait. Each event goes straight to the first: with one promise per event and no more. */
  const waiting: ((result: Result) => void)[] = []
  let ended = false
  const give = (event: AnyEvent): void => {
    const take = waiting.shift()
    if (take) take({ done: false, value: event })
    else addWaiting(queue, event)
  }
  // Asked for from inside of a listener, the log is ahead of what listeners were told.
  let next = Math.max(from, log.state.seq)
  const leave = log.subscribe((event) => {
    if (event.type === 'rewound') next = Math.min(next, Math.max(from, event.to))
    if (isKept(event) && event.seq < next) return
    if (shown) shown(event).forEach(give)
    else give(event)
    if (waiting.length > 0 && isOver()) end()
  })
  const isOver = (): boolean => ended || (!follow && log.state.rest !== undefined)
  const end = (): Result => {
    ended = true
    leave()
    const result = { done: true, value: undefined } as const
    for (const take of waiting.splice(0)) take(result)
    return result
  }

  return {
    next() {
      const value = queue[head]
      if (value) {
        head++
        if (head === queue.length) queue.length = head = 0
        return Promise.resolve({ done: false, value })
      }
      if (isOver()) return Promise.resolve(end())
      return new Promise((resolve) => waiting.push(resolve))
    },
    async return() {
      return end()
    },
  }
}

/** Queues an event. Merges it with the previous delta of the same text, for slow consumers. */
function addWaiting(queue: AnyEvent[], event: AnyEvent): void {
  const last = queue.at(-1)
  const joined = last && joinLive(last, event)
  if (joined) queue[queue.length - 1] = joined
  else queue.push(event)
}

/**
 * Creates a filter that removes the agent's thoughts from one stream of events: reasoning, the text of turns that call
 * tools, and messages of steps to the model. Durable events keep their position and `seq`. If a turn may call tools,
 * its text is held back until it is over.
 */
export function hideReasoning({ mayCall }: { mayCall: boolean }): (event: AnyEvent) => readonly AnyEvent[] {
  let text: LiveEvent[] = []
  return (event) => {
    if (event.type === 'delta' && event.kind === 'reasoning') return []
    if (event.type === 'delta' && event.kind === 'text' && mayCall) {
      text.push(event)
      return []
    }
    if (!isKept(event)) {
      // What had arrived of the turn is void.
      if (event.type === 'retrying' || event.type === 'thinking') text = []
      return [event]
    }
    if (event.type !== 'thought') return [withoutWords(event)]
    const held = text
    text = []
    return isAnswer(event) ? [...held, withoutThoughts(event)] : [withoutThoughts(event)]
  }
}

type ThoughtEvent = Extract<Event, { type: 'thought' }>

/** Returns true for a turn without calls. A turn that was cut off might have called something. */
const isAnswer = (turn: ThoughtEvent): boolean => !turn.error && !turn.parts.some(isCall) && !awaitsProvider(turn)

const isCall = (part: Part): boolean =>
  (part.type === 'tool-call' && !part.providerExecuted) || part.type === 'tool-approval-request'

/** Metadata goes too: some providers keep reasoning there. */
function withoutThoughts(event: ThoughtEvent): ThoughtEvent {
  const { providerMetadata: _, ...turn } = event
  const answers = isAnswer(event)
  const shown = turn.parts.filter(({ type }) => !isReasoning(type) && (answers || type !== 'text'))
  return { ...turn, parts: shown.map(plain) }
}

const isReasoning = (type: string): boolean => type === 'reasoning' || type === 'reasoning-file'

function plain(part: Part): Part {
  const { providerMetadata: _, ...rest } = part
  return rest
}

/** Removes text that steps store or send to the model, and summaries. They are thoughts too. */
function withoutWords(event: Event): Event {
  switch (event.type) {
    case 'said':
      return event.by === 'agent' ? { ...event, content: '' } : event
    case 'noted':
      return isThought(event.key) ? { ...event, value: null } : event
    case 'drafted':
      return { ...event, text: '', reasoning: '' }
    case 'compacted':
      return { ...event, messages: [] }
    case 'seeded':
      return { ...event, messages: event.messages.map(withoutThoughtsOf) }
    default:
      return event
  }
}

/** Returns true for notes with thoughts: side calls, a router's reasons, and logs of child runs. */
const isThought = (key: string): boolean =>
  key.startsWith('consult/') || key.startsWith('route/') || key.includes('>log/')

function withoutThoughtsOf(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant') return message
  const calls = message.content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  return {
    ...message,
    content: message.content.filter(({ type }) => !isReasoning(type) && !(calls && type === 'text')),
  }
}

/** Known by name: a page may hold more than one copy of this package. */
const key = Symbol.for('interleave.keptEvents')

const baseKey = Symbol.for('interleave.baseState')

/**
 * Attaches a run's log to its handle, for code that passes the run on. The list grows with the run. `base` is the state
 * before it, if the run was resumed from a state.
 */
export const withKeptEvents = <R extends object>(run: R, events: readonly Event[], base?: RunState): R =>
  Object.defineProperties(run, { [key]: { value: events }, [baseKey]: { value: base } })

const fileKey = Symbol.for('interleave.ofFile')

/** Marks a run that only shows what a file has. */
export const markOfFile = <R extends object>(run: R): R => Object.defineProperty(run, fileKey, { value: true })

export const isOfFile = (run: object): boolean => fileKey in run

/** Returns true for a run, of this or another copy of this package. */
export const isRun = (value: unknown): value is Run => key in Object(value)

/** All that is kept of a run, the agent's thoughts included. `run.events()` may be without them. */
export const keptEventsOf = (run: Run): readonly Event[] => (run as { [key]?: readonly Event[] })[key] ?? []

/** The state that a run was resumed from without a log. Its events follow this state. */
export const baseStateOf = (run: Run): RunState | undefined => (run as { [baseKey]?: RunState })[baseKey]

/** The view's source for a run that is written to a journal. */
export interface Written {
  /** The state that the run began with here: the fold of what the journal had then. */
  readonly base: RunState
  readonly log: Source & Pick<Log, 'durable' | 'durableSeq' | 'onRecovered' | 'onFailed'>
  readonly filter: () => Filter | undefined
  /** Ends this object of the run for good, with that of its children, so that another one can resume it. */
  close(reason: Error): Promise<void>
}

/** Known by name: a page may hold more than one copy of this package. */
const writtenKey = Symbol.for('interleave.written')

/** Says how far the journal has a run. */
export const withWritten = <R extends object>(run: R, written: Written | undefined): R =>
  Object.defineProperty(run, writtenKey, { value: written })

export const writtenOf = (run: Run): Written | undefined => (run as { [writtenKey]?: Written })[writtenKey]

/** Resolves when the journal has everything of a run so far, for what was done before and may not be durable yet. */
export const durable = async (run: Run): Promise<void> => writtenOf(run)?.log.durable()

/** Ends an object of a run that another one replaces: it writes what it still has, and then no more. */
export const closeRun = async (run: Run, reason: Error): Promise<void> => writtenOf(run)?.close(reason)

/**
 * The part of a remote run that is known only here, and is in no journal: the signal of an unreachable run, and this
 * page's latest messages.
 */
export interface Stray {
  /** Before it. */
  readonly state: RunState
  readonly fault: EventOf<'rested'> | undefined
}
const strayKey = Symbol.for('interleave.stray')

export const withStray = <R extends object>(run: R, stray: () => Stray | undefined): R =>
  Object.defineProperty(run, strayKey, { value: stray })

export const strayOf = (run: Run): Stray | undefined => (run as { [strayKey]?: () => Stray | undefined })[strayKey]?.()
