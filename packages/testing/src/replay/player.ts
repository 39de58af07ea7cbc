import { type Agent, type Event, type Host, localHost, type Run } from '@interleave/core'
import { deferred, isSideCall, messageOf, withBackend } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { type AnyEvent, type EventOf, isKept } from '@interleave/core/observe'
import { formatTrace } from '../expectTrace.ts'
import { type Differing, differenceAt, type RunDifference } from './describeEvent.ts'
import { withoutSources } from './recordedSources.ts'
import { withRecordedTools } from './recordedTools.ts'
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
  #journal = memoryJournal()
  readonly #waiters = new Set<{ readonly length: number; readonly resolve: () => void }>()
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

  /** The parts of this replay that the recorded tools need. */
  readonly stage: Stage

  constructor(options: PlayerOptions) {
    this.#options = options
    const { recording, live } = options
    const length = (): number => this.events.length
    this.stage = { recording, length, until: (count) => this.until(count), readsSources: live.model }
  }

  /** Returns the first difference; undefined if there is none. */
  async play(agent: Agent): Promise<RunDifference | undefined> {
    const { live, signal } = this.#options
    const recorded = withRecordedTools(agent.backend, this.stage)
    this.#agent = live.tools ? agent : withBackend(withoutSources(agent, this.stage), recorded)
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
      this.#waiters.add({ length, resolve })
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
      journal: this.#journal,
      ...this.#newLife(),
    })
  }

  #newLife(): { host: Host; observers: [(event: AnyEvent) => void] } {
    const life = ++this.#life
    return { host: this.#host(life), observers: [(event) => void (life === this.#life && this.#receive(event))] }
  }

  #receive(event: AnyEvent): void {
    if (this.#isOver || !isKept(event)) return
    const { events } = this.#options.recording
    const index = this.events.length
    const recorded = events[index]
    const isSame = !isReplayed(event) || !recorded || formatTrace([recorded]) === formatTrace([event])
    if (!isSame) this.#differ({ index, replayed: event })
    else this.#log.push(event)
    if (!isSame || !isReplayed(event)) return
    this.events.push(event)
    if (index + 1 === events.length) this.#ended.resolve(undefined)
    else this.#continue(index + 1)
  }

  /** Resolves the waiters for this event. */
  #continue(length: number): void {
    for (const waiter of this.#waiters) {
      if (waiter.length > length) continue
      this.#waiters.delete(waiter)
      waiter.resolve()
    }
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
      void this.#crash(index, next).catch(this.#ended.reject)
      return
    }
    this.#isOver = true
    this.#ended.resolve(this.#before?.index === index ? this.#before.difference : difference)
  }

  #detectStall(): void {
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#differ({ index: this.events.length }), this.#options.idleMs)
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
    if (before.type === 'rested') void run?.settled.then(doIt)
    else void doIt()
  }

  #actOf(next: Event, { index, before }: { index: number; before: Event }): (() => unknown) | undefined {
    if (this.#isCrash(next, before) && this.#crashedAt < index) return () => this.#crash(index, next)
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
        return () => run?.reply(next.ask, next.value)
      case 'disallowed':
        return () => run?.disallow(next.id)
      case 'resumed':
        return () => run?.resume()
      default:
        return isStopped(next) && !isStopped(before) && before.type !== 'said'
          ? () => run?.stop(this.#reason(index))
          : undefined
    }
  }

  #reason(from: number): string {
    const { recording } = this.#options
    const rested = recording.events[recording.indexFrom(from, (event) => event.type === 'rested')]
    return rested?.type === 'rested' && rested.signal.type === 'stopped' ? rested.signal.reason : 'Stopped.'
  }

  /** Returns true if the log shows that the page or process ended before this event. */
  #isCrash(next: Event, before: Event): boolean {
    const { state } = this.#run ?? {}
    switch (next.type) {
      case 'thought':
        return next.error?.code === 'interrupted'
      case 'asked':
        return next.ask.id.endsWith('/doubt')
      case 'called':
        return (
          before.type !== 'replied' && this.events.some((event) => event.type === 'called' && event.call === next.call)
        )
      case 'resumed':
        return before.type !== 'rested'
      case 'replied': {
        const asked = state?.asks.find(({ id }) => id === next.ask)
        // A child has the reply in its own log.
        const isOwn = asked?.call !== undefined && asked.from === undefined
        return isOwn && asked.kind !== 'approval' && !next.taken && !next.ask.endsWith('/doubt')
      }
      default:
        return false
    }
  }

  /** Simulates the end of the page, and resumes the run. */
  async #crash(index: number, next: Event): Promise<void> {
    const { recording } = this.#options
    this.#crashedAt = index
    const life = this.#newLife()
    this.#waiters.clear()
    const id = recording.started.runId
    const isCut = next.type === 'thought' && next.error?.code === 'interrupted'
    const draft = isCut ? recording.draftBefore(next.seq) : undefined
    if (draft) this.#log.push({ ...draft, seq: this.#log.length })
    this.#journal = await journalWith(this.#log, this.#journal)
    this.#run = await this.#agent?.resume(id, { journal: this.#journal, ...life })
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
        if (effect.kind === 'sleep') return null as T
        const path = effect.key.split('>')
        if (effect.kind !== 'wait' && path.length > 1) return this.#childEffect(effect.kind, path, body)
        if (effect.kind === 'model' && !live.model) return (await this.#turn(effect.key)) as T
        if (effect.kind === 'once') return (await this.#noted(effect.key, body)) as T
        return body()
      },
    }
  }

  /** Returns the next turn of the log, once the replay has reached it. */
  async #turn(key: string): Promise<unknown> {
    const { recording } = this.#options
    const at = this.events.length
    const index = recording.indexFrom(at, (event) => {
      // A compaction whose model failed is noted, too.
      const isNoted = event.type === 'noted' && key.startsWith(event.key)
      if (isSideCall(key)) return isNoted
      if (key.startsWith('compact/')) return isNoted || event.type === 'compacted'
      return event.type === 'thought' && event.error?.code !== 'interrupted'
    })
    const found = recording.events[index]
    if (!found) {
      this.#differ({ index: at, why: 'the replay asks the model again, and the log has no further turn' })
      return new Promise(() => {})
    }
    await this.until(index)
    return { outcome: found.type === 'thought' ? turnOf(found) : sideTurn(found) }
  }

  async #noted(key: string, body: () => PromiseLike<unknown>): Promise<unknown> {
    const { recording } = this.#options
    const index = recording.indexFrom(this.events.length, (event) => event.type === 'noted' && event.key === key)
    const found = recording.events[index]
    if (found?.type !== 'noted') return body()
    await this.until(index)
    return found.value
  }

  /** Returns the result of a child run's effect, from its own log, in its own order. */
  async #childEffect<T>(kind: string, path: readonly string[], body: () => PromiseLike<T>): Promise<T> {
    const [key = ''] = path.slice(-1)
    const { recording } = this.#options
    const log = recording.childAt(path.slice(0, -1))
    const found = log.find((event) => {
      if (kind === 'model') return event.type === 'thought' && key.startsWith(`${event.iteration}/model`)
      if (kind === 'tool') return event.type === 'observed' && event.call === key
      return event.type === 'noted' && event.key === key
    })
    // By the clock that both logs share: other children and the run itself work concurrently.
    if (found) await this.until(recording.indexFrom(0, ({ at }) => at >= found.at))
    if (found?.type === 'thought') return { outcome: turnOf(found) } as T
    if (found?.type === 'observed') return outcomeOf(found) as T
    if (found?.type === 'noted') return found.value as T
    if (kind === 'once') return body()
    this.#differ({ index: this.events.length, why: `a child run does ${key}, and the file has no log of that` })
    return new Promise(() => {})
  }
}

/** Returns a journal as it was when the page ended. Child runs may have progressed further. */
async function journalWith(events: readonly Event[], before: ReturnType<typeof memoryJournal>) {
  const id = runIdOf(events)
  const journal = memoryJournal()
  await journal.append(id, events)
  for (const { runId } of await before.list({ below: id, limit: 100_000 }))
    await journal.append(runId, await before.read(runId))
  return journal
}

const isStopped = (event: Event | undefined): boolean =>
  (event?.type === 'thought' || event?.type === 'observed') && event.error?.code === 'stopped'

const turnOf = ({ type: _, seq: __, at: ___, iteration: ____, heard: _____, ...turn }: EventOf<'thought'>) => turn

const outcomeOf = ({ result, output, error }: EventOf<'observed'>) => ({
  result,
  ...(output !== undefined && { output }),
  ...(error && { error }),
})

/** Returns the turn of a side call: a judgement as it was noted, a summary, or the error of one that failed. */
function sideTurn(found: Event) {
  const noted = found.type === 'noted' ? found.value : undefined
  const { error } = Object(noted) as { readonly error?: object }
  const text = found.type === 'noted' ? String(noted) : summaryIn(found)
  return {
    model: { provider: 'recorded', modelId: 'recorded' },
    parts: error ? [] : [{ type: 'text', text }],
    usage: 'usage' in found ? found.usage : undefined,
    ms: 0,
    ...(error && { error }),
  }
}

/** Returns the summary, which follows an introductory paragraph. */
function summaryIn(found: Event): string {
  const messages = found.type === 'compacted' ? found.messages : []
  const summary = messages.find(({ providerOptions }) => providerOptions?.interleave?.kind === 'summary')
  const [part] = Array.isArray(summary?.content) ? summary.content : []
  return part?.type === 'text' ? part.text.slice(part.text.indexOf('\n\n') + 2) : '(a summary)'
}
