import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { checkRun, DEV } from '#checks'
import { addLive } from '../draft.ts'
import { type AnyEvent, type Event, isKept, type LiveEvent } from '../event.ts'
import { assertOption } from '../options.ts'
import type { Part } from '../part.ts'
import { awaitsProvider, isSideCall } from '../state.ts'
import type { StatelessListener } from './log.ts'
import type { EventSource } from './openRun.ts'

export interface EventsOptions {
  /** The first `seq`; 0 by default. */
  from?: number
  /** True if the events continue after the run settles. */
  follow?: boolean
}

/**
 * Returns all events of a run from a position on, then live ones as they arrive. A slow consumer gets consecutive deltas of the
 * same text merged into one. Ends when the run settles, unless `follow` is set. Omits the agent's thoughts if it does not
 * expose them.
 *
 * @example
 * for await (const event of eventsOf(run)) console.log(event.type)
 */
export function eventsOf(run: EventSource, options: EventsOptions = {}): AsyncIterable<AnyEvent> {
  checkRun(run, 'eventsOf()')
  const { from = 0 } = options
  assertOption(
    Number.isInteger(from) && from >= 0,
    DEV && `eventsOf({ from: ${from} }): use the \`seq\` of an event, from 0.`,
  )
  return { [Symbol.asyncIterator]: () => new EventIterator(run, options) }
}

type Filter = (event: AnyEvent) => readonly AnyEvent[]
type Result = IteratorResult<AnyEvent, undefined>
type Take = (result: Result) => void

/** The events of a run for one consumer, at its own position. */
class EventIterator implements AsyncIterator<AnyEvent, undefined> {
  readonly #run: EventSource
  readonly #follow: boolean
  readonly #shown: Filter | undefined
  readonly #leave: () => void
  readonly #from: number
  /** The `seq` of the next durable event. From inside of a listener, the log is ahead of listeners. */
  #next: number
  /** Events that wait for the consumer, from `head` on. */
  readonly #queue: AnyEvent[] = []
  #head = 0
  /** The pending call of `next`. Each event resolves it directly, with only one promise per event. */
  #first: Take | undefined = undefined
  /** The calls after it, of a consumer that calls again before that resolves. */
  readonly #others: Take[] = []
  #hasEnded = false
  /** True if `state.rest` is set; undefined if it has to be read. A delta does not change it, and its state costs time. */
  #hasSignal: boolean | undefined = undefined

  constructor(run: EventSource, { from = 0, follow = false }: EventsOptions) {
    const { state, log, mayCall = true } = run
    this.#run = run
    this.#follow = follow
    this.#from = from
    this.#shown = state.exposeReasoning === false ? hideReasoning({ mayCall }) : undefined
    for (const event of log) if (event.seq >= from) this.#add(event)
    this.#next = Math.max(from, state.seq)
    const listener: StatelessListener = Object.assign((event: AnyEvent) => this.#take(event), { ignoresState: true })
    this.#leave = run.subscribe(listener)
  }

  next(): Promise<Result> {
    const value = this.#queue[this.#head]
    if (value) {
      this.#head++
      if (this.#head === this.#queue.length) this.#queue.length = this.#head = 0
      return Promise.resolve({ done: false, value })
    }
    if (this.#isOver) return Promise.resolve(this.#end())
    return new Promise(this.#wait)
  }

  /** One function for all promises, since each event needs one. */
  readonly #wait = (take: Take): void => {
    if (this.#first) this.#others.push(take)
    else this.#first = take
  }

  async return(): Promise<Result> {
    return this.#end()
  }

  get #isOver(): boolean {
    return this.#hasEnded || this.#run.isStill === true || (!this.#follow && this.#isSettled)
  }

  get #isSettled(): boolean {
    this.#hasSignal ??= this.#run.state.signal !== undefined
    return this.#hasSignal
  }

  #take(event: AnyEvent): void {
    if (event.type !== 'delta') this.#hasSignal = undefined
    if (event.type === 'rewound') this.#next = Math.min(this.#next, Math.max(this.#from, event.to))
    if (isKept(event) && event.seq < this.#next) return
    this.#add(event)
    if (this.#first && this.#isOver) this.#end()
  }

  #add(event: AnyEvent): void {
    if (this.#shown) for (const shown of this.#shown(event)) this.#give(shown)
    else this.#give(event)
  }

  #give(event: AnyEvent): void {
    const take = this.#taker()
    if (take) take({ done: false, value: event })
    else addLive(this.#queue, event)
  }

  #taker(): Take | undefined {
    const take = this.#first
    this.#first = this.#others.length > 0 ? this.#others.shift() : undefined
    return take
  }

  #end(): Result {
    this.#hasEnded = true
    this.#leave()
    const result = { done: true, value: undefined } as const
    for (let take = this.#taker(); take; take = this.#taker()) take(result)
    return result
  }
}

/** Creates a filter that removes the agent's thoughts from one stream of events. Durable events keep their `seq`. */
export function hideReasoning({ mayCall }: { mayCall: boolean }): (event: AnyEvent) => readonly AnyEvent[] {
  let text: LiveEvent[] = []
  return (event) => {
    if (event.type === 'delta' && event.kind === 'reasoning') return []
    if (event.type === 'delta' && event.kind === 'text' && mayCall) {
      text.push(event)
      return []
    }
    if (!isKept(event)) {
      // The part of the turn that had arrived is void.
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

/** Removes thoughts, and metadata too: some providers store reasoning there. */
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
const isThought = (key: string): boolean => isSideCall(key) || key.startsWith('route/') || key.includes('>log/')

function withoutThoughtsOf(message: LanguageModelV4Message): LanguageModelV4Message {
  if (message.role !== 'assistant') return message
  const calls = message.content.some((part) => part.type === 'tool-call' && !part.providerExecuted)
  return {
    ...message,
    content: message.content.filter(({ type }) => !isReasoning(type) && !(calls && type === 'text')),
  }
}
