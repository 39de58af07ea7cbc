import { type Agent, type Event, type Host, localHost, type Run } from '@interleave/core'
import { deferred, isSideCall, messageOf } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { type AnyEvent, type EventOf, isKept, openCalls } from '@interleave/core/observe'
import { formatTrace } from '../expectTrace.ts'
import { AskedTurns, turnDuring } from './askedTurns.ts'
import { ChildStage, playing } from './childStage.ts'
import { type Differing, differenceAt, type RunDifference } from './describeEvent.ts'
import { outcomeOf, sideTurn, turnOf } from './effectResults.ts'
import { addTo } from './logIndex.ts'
import { isReplayed, type Recording, runIdOf } from './recording.ts'
import type { Stage } from './stage.ts'

export interface PlayerOptions {
  readonly recording: Recording
  /** Which parts call the real model and tools, instead of the log. */
  readonly live: { readonly model: boolean; readonly tools: boolean }
  /** Milliseconds without an event after which a replay counts as stalled. */
  readonly idleMs: number
  readonly signal?: AbortSignal | undefined
}

/**
 * Plays a recorded run through the engine, event by event. Models, tools and users repeat what they did in the log, so
 * only the agent and the engine can cause a difference.
 */
export class Player {
  readonly events: Event[] = []
  /** The log, including events that depend on timing. */
  #log: Event[] = []
  readonly #options: PlayerOptions
  #journal: ReturnType<typeof memoryJournal> | undefined = memoryJournal()
  /** The waiters, by the number of events that they wait for. */
  readonly #waiters = new Map<number, (() => void)[]>()
  #run: Run | undefined
  #agent: Agent | undefined
  /** The number of starts and crashes: work from before the latest is void. */
  #life = 0
  /** The number of events at the latest simulated crash. */
  #crashedAt = -1
  /** The difference before that crash. */
  #before: { readonly index: number; readonly difference: RunDifference } | undefined
  #isOver = false
  #idle: ReturnType<typeof setTimeout> | undefined
  readonly #ended = deferred<RunDifference | undefined>()
  /** Adds an event to the log of the run, once it works. */
  #emit: Parameters<Stage['enter']>[0]['emit'] | undefined
  /** Recorded events that depend on timing, and that the log of the run does not have yet. */
  #timed: Event[] = []
  readonly #children = new Map<string, ChildStage>()
  readonly #asked = new AskedTurns()

  /** The parts of this replay that the recorded tools need. */
  readonly stage: Stage

  constructor(options: PlayerOptions) {
    this.#options = options
    const { recording, live } = options
    const length = (): number => this.events.length
    this.stage = {
      recording,
      length,
      until: (count) => this.until(count),
      readsSources: live.model,
      runsTools: live.tools,
      enter: (run) => this.#enter(run),
      childAgent: (agent, runId) => {
        const stage = this.#childStage(runId)
        return stage ? playing(agent, stage) : agent
      },
    }
  }

  /** Returns the first difference; undefined if there is none. */
  async play(agent: Agent): Promise<RunDifference | undefined> {
    const { signal } = this.#options
    this.#agent = playing(agent, this.stage)
    const abort = (): void => this.#ended.reject(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      signal?.throwIfAborted()
      this.#start(this.#agent)
      return await this.#ended.promise
    } finally {
      signal?.removeEventListener('abort', abort)
      this.#isOver = true
      clearTimeout(this.#idle)
      this.#waiters.clear()
    }
  }

  /** Resolves when the replay has this many events. */
  readonly until = (length: number): Promise<void> =>
    new Promise((resolve) => {
      if (this.#isOver) return
      if (this.events.length >= length) return resolve()
      addTo(this.#waiters, length, resolve)
    })

  #start(agent: Agent): void {
    const { events, started } = this.#options.recording
    const said = events.find((event) => event.type === 'said')
    const seeded = events[1]
    this.#run = agent.start(said?.content ?? '', {
      id: started.runId,
      ...(started.parent && { parent: started.parent }),
      ...(seeded?.type === 'seeded' && { history: seeded.messages }),
      ...(said?.key !== undefined && { key: said.key }),
      ...(this.#journal && { journal: this.#journal }),
      ...this.#newLife(),
    })
  }

  #newLife(): { host: Host; observers: [(event: AnyEvent) => void] } {
    const life = ++this.#life
    return { host: this.#host(life), observers: [(event) => void (life === this.#life && this.#receive(event))] }
  }

  #receive(event: AnyEvent): void {
    if (this.#isOver || !isKept(event)) return
    const { recording } = this.#options
    const { events } = recording
    const index = this.events.length
    const recorded = events[index]
    const isSame = !isReplayed(event) || !recorded || formatTrace([recorded]) === formatTrace([event])
    if (!isSame) this.#differ({ index, replayed: event })
    else this.#log.push(event)
    if (!isSame || !isReplayed(event)) return
    this.events.push(event)
    this.#timed.push(...recording.timedAfter(index + 1))
    if (index + 1 === events.length) this.#ended.resolve(undefined)
    else this.#continue(index + 1)
  }

  #enter({ journal, emit }: Parameters<Stage['enter']>[0]): void {
    // A run from before a crash may go on.
    if (journal !== this.#journal) return
    this.#emit = emit
  }

  /**
   * Adds the recorded events that depend on timing, so that all others have the same numbers. They belong to a turn that
   * has begun: before it, a draft would be that of a turn that a crash cut off.
   */
  #repeatTimed(): void {
    if (this.#emit) for (const { seq: _, at: __, iteration: ___, ...event } of this.#timed.splice(0)) this.#emit(event)
  }

  #childStage(runId: string): ChildStage | undefined {
    const known = this.#children.get(runId)
    const recording = known ? undefined : this.#options.recording.child(runId)
    if (!recording) return known
    const above = this.#childStage(recording.started.parent?.runId ?? '') ?? this.stage
    const stage = new ChildStage(above, recording)
    this.#children.set(runId, stage)
    return stage
  }

  /** Resolves the waiters for this event. */
  #continue(length: number): void {
    const waiters = this.#waiters.get(length) ?? []
    this.#waiters.delete(length)
    for (const resolve of waiters) resolve()
    this.#detectStall()
    this.#act(length)
  }

  #differ(how: Differing): void {
    const { recording } = this.#options
    const { index } = how
    const next = recording.events[index]
    if (this.#isOver) return
    const difference = differenceAt(recording, how)
    // The page may have closed here, which the log may not show.
    if (next && index > 1 && this.#crashedAt < index) {
      this.#before = { index, difference }
      void this.#crash(index).catch(this.#ended.reject)
      return
    }
    this.#isOver = true
    this.#ended.resolve(this.#before?.index === index ? this.#before.difference : difference)
  }

  /** Waits in slices: a machine that is held up for a moment was not idle for all of it. */
  #detectStall(left = idleSlices): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(
      () => (left > 1 ? this.#detectStall(left - 1) : this.#differ({ index: this.events.length })),
      this.#options.idleMs / idleSlices,
    )
  }

  /** Repeats the action of a user, or the crash, before the next event of the log. */
  #act(index: number): void {
    const { events } = this.#options.recording
    const [before, next] = [events[index - 1], events[index]]
    const run = this.#run
    if (!next || !before || index < 2) return
    const act = this.#actOf(next, { index, before })
    if (!act) return
    const life = this.#life
    const isStill = (): boolean => this.events.length === index && this.#life === life
    const doIt = async (): Promise<void> => {
      if (this.#isOver || !isStill()) return
      try {
        await act()
      } catch (error) {
        if (isStill()) this.#differ({ index, why: `that is refused now: ${messageOf(error)}` })
      }
    }
    // In the same tick, so that no event precedes it.
    if (before.type === 'settled') void run?.settled.then(doIt)
    else this.#asked.whenAsked(turnDuring(next, events.slice(index)), () => void doIt())
  }

  #actOf(next: Event, { index, before }: { index: number; before: Event }): (() => unknown) | undefined {
    if (this.#isCrash(next, { index, before }) && this.#crashedAt < index) return () => this.#crash(index)
    const run = this.#run
    switch (next.type) {
      case 'said': {
        if (next.by !== 'user') return undefined
        const { content, key, replaces } = next
        const now = isStopped(this.#options.recording.events[index + 1])
        return () =>
          run?.say(content, {
            ...(key !== undefined && { key }),
            ...(replaces !== undefined && { replaces }),
            ...(now && { now }),
          })
      }
      case 'replied':
        return () => {
          const reply = () => run?.reply(next.ask, next.value)
          const child = run?.state.asks.find(({ id }) => id === next.ask)?.from?.runId
          return (child && this.#childStage(child)?.untilPaused(next.ask)?.then(reply)) ?? reply()
        }
      case 'revoked':
        return () => run?.revoke(next.id)
      case 'resumed':
        return () => run?.resume()
      default:
        return this.#isStop(next) && !isStopped(before) && before.type !== 'said'
          ? () => run?.stop(this.#reason(index))
          : undefined
    }
  }

  /** Returns true if a stop of the run caused the event. An agent that works as a tool may have ended by itself, at its limit. */
  #isStop(event: Event): boolean {
    if (event.type === 'settled') return event.signal.type === 'stopped' && this.#isUnderWay()
    if (!isStopped(event)) return false
    const { events, index } = this.#options.recording
    const begun = 'call' in event ? index.all(`claimed ${event.call}`) : []
    return !begun.some((at) => Object(events[at]).resumes)
  }

  /** Returns true while a question or a call is open: no step ends the run then. */
  #isUnderWay(): boolean {
    const { state } = this.#run ?? {}
    return state !== undefined && (state.asks.length > 0 || openCalls(state).length > 0)
  }

  #reason(from: number): string {
    const { recording } = this.#options
    const settled = recording.events[recording.indexFrom(from, (event) => event.type === 'settled')]
    return settled?.type === 'settled' && settled.signal.type === 'stopped' ? settled.signal.reason : 'Stopped.'
  }

  /** Returns true if the log shows that the page or process ended before this event. */
  #isCrash(next: Event, { index, before }: { index: number; before: Event }): boolean {
    const { state } = this.#run ?? {}
    switch (next.type) {
      case 'thought':
        return next.error?.code === 'interrupted'
      case 'asked':
        return next.ask.about === 'interruption' && before.type !== 'effectBegun'
      case 'claimed':
        return before.type !== 'replied' && this.#options.recording.index.first(`claimed ${next.call}`) < index
      case 'resumed':
        return before.type !== 'settled'
      case 'replied': {
        const asked = state?.asks.find(({ id }) => id === next.ask)
        // A child has the reply in its own log.
        const isOwn = asked?.call !== undefined && asked.from === undefined
        return isOwn && asked.kind !== 'approval' && !next.awaited && asked.about === undefined
      }
      default:
        return false
    }
  }

  /** Simulates the end of the page, and resumes the run. */
  async #crash(index: number): Promise<void> {
    const { recording } = this.#options
    this.#crashedAt = index
    const life = this.#newLife()
    this.#waiters.clear()
    this.#asked.reset()
    const id = recording.started.runId
    this.#emit = undefined
    for (const event of this.#timed.splice(0)) this.#log.push({ ...event, seq: this.#log.length })
    const before = this.#journal
    this.#journal = undefined
    const journal = await journalWith(this.#log, before)
    this.#journal = journal
    this.#run = await this.#agent?.resume(id, { journal, ...life })
    this.#detectStall()
    if (this.events.length === index) this.#act(index)
  }

  /** Creates a host that returns the recorded results of models and steps, in order, with the times of the log. */
  #host(life: number): Host {
    const { recording, live } = this.#options
    let ids = 0
    return {
      now: () => (recording.events[this.events.length] ?? recording.events.at(-1))?.at ?? 0,
      newId: () => `replay-${life}-${++ids}`,
      timer: live.model || live.tools ? localHost.timer : () => () => {},
      perform: async <T>(effect: Parameters<Host['perform']>[0], body: () => PromiseLike<T>): Promise<T> => {
        // A run from before a crash may still work. What it lacks says nothing.
        if (life !== this.#life) return new Promise<never>(() => {})
        if (effect.kind === 'sleep') return (await this.#sleep(effect.key)) as T
        const path = effect.key.split('>')
        if (effect.kind === 'model' && path.length === 1) this.#asked.ask(effect.key)
        if (effect.kind !== 'wait' && path.length > 1) return this.#childEffect(effect.kind, path, body)
        if (effect.kind === 'model' && !live.model) {
          if (!isSideCall(effect.key)) this.#repeatTimed()
          return (await this.#turn(this.stage, effect.key)) as T
        }
        if (effect.kind === 'once') return (await noted(this.stage, effect.key, body)) as T
        return body()
      },
    }
  }

  /** Waits in a graph until the log has the end of that visit: other branches work meanwhile. */
  async #sleep(key: string): Promise<null> {
    const [, visited] = /^wait\/(graph\/.+)\/\d+$/.exec(key) ?? []
    const { recording } = this.#options
    const isEnd = (event: Event): boolean => event.type === 'noted' && event.key === visited
    const end = visited === undefined ? -1 : recording.indexFrom(this.events.length, isEnd)
    if (end >= 0) await this.until(end)
    return null
  }

  /** Returns the next turn of a log, once the replay has reached it. */
  async #turn({ recording, length, until }: Stage, key: string): Promise<unknown> {
    const index = recording.indexFrom(length(), (event) => {
      if (isSideCall(key)) return event.type === 'noted' && key.startsWith(event.key)
      return event.type === 'thought' && event.error?.code !== 'interrupted' && key.startsWith(`${event.iteration}/`)
    })
    const found = recording.events[index]
    if (!found) return this.#lacks('the replay asks the model again, and the log has no further turn')
    await until(index)
    return { outcome: found.type === 'thought' ? turnOf(found) : sideTurn(found) }
  }

  /** Returns the result of a child run's effect, from its own log. */
  async #childEffect<T>(kind: string, path: readonly string[], body: () => PromiseLike<T>): Promise<T> {
    const { live, recording } = this.#options
    const [key = ''] = path.slice(-1)
    const stage = this.#childStage([recording.started.runId, ...path.slice(0, -1)].join('/'))
    if (!stage) return this.#lacks(`a child run does ${key}, and the file has no log of that`)
    if (kind === 'model') return (await this.#turn(stage, key)) as T
    if (kind === 'once') return (await noted(stage, key, body)) as T
    if (!live.tools) return body()
    const index = stage.recording.index.first(`observed ${key}`)
    const found = stage.recording.events[index]
    if (found?.type !== 'observed') return this.#lacks(`a child run does ${key}, and the file has no log of that`)
    await stage.until(index)
    return outcomeOf(found) as T
  }

  /** Ends the replay: its log lacks what the run does. */
  #lacks(why: string): Promise<never> {
    this.#differ({ index: this.events.length, why })
    return new Promise(() => {})
  }
}

/** Returns the value that the log has, once the replay has reached it. */
async function noted({ recording, length, until }: Stage, key: string, body: () => PromiseLike<unknown>) {
  const index = recording.index.first(`noted ${key}`, length())
  const found = recording.events[index]
  if (found?.type !== 'noted') return body()
  await until(index)
  return found.value
}

/** Returns a journal as it was when the page ended. Child runs may have progressed further. */
async function journalWith(events: readonly Event[], before: ReturnType<typeof memoryJournal> | undefined) {
  const id = runIdOf(events)
  const journal = memoryJournal()
  await journal.append(id, events)
  for (const { runId } of (await before?.list({ below: id, limit: 100_000 })) ?? [])
    await journal.append(runId, (await before?.read(runId)) ?? [])
  return journal
}

/** The parts in which the time without an event is waited for. */
const idleSlices = 10

const isStopped = (event: Event | undefined): event is EventOf<'thought'> | EventOf<'observed'> =>
  (event?.type === 'thought' || event?.type === 'observed') && event.error?.code === 'stopped'
