import { elapsedMs, type Frame, heartbeat, writeFrame } from '@interleave/connect/internal'
import type { Ask, Event, Host, RunState } from '@interleave/core'
import { hideErrors, hideReasoning } from '@interleave/core/internal'
import { type AnyEvent, isKept, type LiveEvent, redact } from '@interleave/core/observe'
import type { Exposing } from './problem.ts'
import type { AskedEvent } from './replyTokens.ts'
import type { RunNames } from './runNames.ts'
import type { RunSource, RunView } from './runSource.ts'

/** The events of a run for clients: all of them, or without the thoughts of an agent that hides them. */
interface ShownEvents {
  kept(events: readonly Event[]): readonly Event[]
  live(events: readonly LiveEvent[]): readonly LiveEvent[]
}

/** Returns the filters for the events of a run. They are the only way of events from a server to its clients. */
export function shownEvents(
  { exposeReasoning }: Pick<RunState, 'exposeReasoning'>,
  { exposeErrors = false }: Exposing,
): ShownEvents {
  // Messages of providers and tools may contain a key or a login, also in development.
  const shown = exposeErrors ? <E extends AnyEvent>(event: E): E => redact(event).value : hideErrors
  if (exposeReasoning !== false) {
    return {
      kept: (events) => events.map((event) => shown(event)),
      live: (events) => events.map((event) => shown(event)),
    }
  }
  const hide = hideReasoning({ mayCall: true })
  return {
    kept: (events) => events.flatMap((event): readonly AnyEvent[] => hide(shown(event))).filter(isKept),
    // Only the end of a streaming text shows whether it is a thought or the answer.
    live: (events) =>
      events.map((event) => shown(event)).filter((event) => event.type !== 'delta' || event.kind === 'input'),
  }
}

/** A reader and its position. */
export interface Reader {
  /** The `seq` of the first event that it does not have. */
  readonly from: number
  /** The time of the event before that, as the reader has it. */
  readonly at: number | undefined
  /** True if the stream continues after the run has settled. */
  readonly follows: boolean
  /** False if the stream ends once the reader has everything that there is. */
  readonly waits: boolean
  /** Pending calls for this reader. */
  readonly calls: Frame[]
}

export interface EventFramesOptions extends Exposing {
  readonly source: Pick<RunSource, 'readView' | 'takeLive' | 'pollMs'>
  readonly host: Pick<Host, 'now'>
  readonly names: RunNames
  readonly heartbeatMs: number
  readonly sign: (event: AskedEvent) => Promise<string>
  /** Resolves when there may be more, and after this many milliseconds in any case. */
  readonly wait: (ms: number) => Promise<unknown>
}

/** The number of durable events per write. */
const chunk = 100

/** Writes the frames of a run for one reader. Durable events are sent once the journal has them. */
export class EventFrames {
  readonly #reader: Reader
  readonly #options: EventFramesOptions
  /** The `seq` of the next event. */
  #next: number
  /** The time of the last event that the reader has. */
  #last: number | undefined
  #shows: ShownEvents | undefined
  #sentFault: RunView['fault']

  constructor(reader: Reader, options: EventFramesOptions) {
    this.#reader = reader
    this.#options = options
    this.#next = reader.from
    this.#last = reader.at
  }

  /** Generates past events, the draft of the current turn, and new events, as fast as the consumer pulls. */
  async *generate(): AsyncGenerator<string, void> {
    const { source, host, heartbeatMs, wait } = this.#options
    yield helloFrame(heartbeatMs)
    let sentAt = host.now()
    for (;;) {
      const view = await source.readView()
      if (!view) {
        yield writeFrame({ name: 'gone', data: {} })
        return
      }
      const text = await this.#pendingText(view)
      if (text || elapsedMs(sentAt, host.now()) >= heartbeatMs) {
        sentAt = host.now()
        yield text || heartbeat
      } else if (this.#next < view.events.length) continue
      else if (!this.#reader.waits) return
      else if (!this.#reader.follows && (view.state.signal || view.fault)) return
      else await wait(Math.min(source.pollMs, heartbeatMs))
    }
  }

  async #pendingText(view: RunView): Promise<string> {
    const isFirst = this.#shows === undefined
    this.#shows ??= shownEvents(view.state, this.#options)
    if (!this.#isSameLog(view)) return this.#restart(view)
    // A reader that does not wait gets calls and failures too, also if it has all events.
    return (isFirst && (await this.#openTokens(view))) || this.#nextText(view)
  }

  /** Returns true if the reader's events are the beginning of this log. */
  #isSameLog({ events }: RunView): boolean {
    const [next, last] = [this.#next, this.#last]
    return next <= events.length && (last === undefined || next === 0 || events[next - 1]?.at === last)
  }

  /** Restarts a reader whose log differs: its events were not persisted, and another owner took over. */
  #restart({ state }: RunView): string {
    this.#shows = shownEvents(state, this.#options)
    this.#next = 0
    return writeFrame({ name: 'live', data: [{ type: 'rewound', to: 0 }] })
  }

  /** Returns the tokens for the open questions that the reader already has. */
  async #openTokens({ events, state }: RunView): Promise<string> {
    const known = askedIn(events.slice(0, this.#next), state.asks)
    return (await Promise.all(known.map((event) => this.#tokenFrame(event)))).join('')
  }

  /** Returns the next frames: pending calls, then durable events, live events, and a failure of the journal. */
  async #nextText({ events, fault }: RunView): Promise<string> {
    const calls = this.#reader.calls.splice(0).map(writeFrame).join('')
    if (calls) return calls
    const due = events.slice(this.#next, this.#next + chunk)
    if (due.length > 0) {
      this.#next += due.length
      this.#last = due.at(-1)?.at
      return (await Promise.all(due.map((event) => this.#keptFrames(event)))).join('')
    }
    const live = this.#shows?.live(this.#options.source.takeLive(this.#next)) ?? []
    if (live.length > 0) return writeFrame({ name: 'live', data: live })
    if (fault === this.#sentFault) return ''
    this.#sentFault = fault
    return fault ? this.#frame('fault', fault) : ''
  }

  async #keptFrames(event: Event): Promise<string> {
    return (event.type === 'asked' ? await this.#tokenFrame(event) : '') + this.#frame('kept', event)
  }

  #frame(name: 'kept' | 'fault', event: Event): string {
    const [shown = event] = this.#options.names.show(this.#shows?.kept([event]) ?? [])
    return writeFrame({ name, data: shown })
  }

  async #tokenFrame(event: AskedEvent): Promise<string> {
    const token = await this.#options.sign(event)
    return writeFrame({ name: 'token', data: { ask: event.ask.id, at: event.at, token } })
  }
}

export const helloFrame = (heartbeatMs: number): string =>
  writeFrame({
    name: 'hello',
    data: { heartbeatMs: Math.min(Math.ceil(heartbeatMs), Number.MAX_SAFE_INTEGER) },
  })

/** Returns the events that asked the open questions. */
export const askedIn = (events: readonly Event[], open: readonly Ask[]): readonly AskedEvent[] =>
  open.flatMap(
    ({ id }) => events.findLast((event) => event.type === 'asked' && event.ask.id === id) ?? [],
  ) as AskedEvent[]
