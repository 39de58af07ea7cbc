import type { Effect, Event, Host } from '@interleave/core'
import { journalEngine } from '@interleave/core/internal'
import type { Journal, PermissionStore } from '@interleave/core/journal'
import type { AnyEvent } from '@interleave/core/observe'
import { type FakeChannels, fakeChannels } from '../fakeChannels.ts'
import { type FakeLocks, fakeLocks } from '../fakeLocks.ts'
import { Gates } from './gates.ts'
import { Logs } from './logs.ts'
import { Witness } from './witness.ts'

/** The part of a journal that schedules need. */
export type Store = Pick<Required<Journal>, 'append' | 'read' | 'claim'>

/** The points where promises may be held back, besides writes to the journal, which always are. */
export type Held = 'model' | 'stream' | 'policy' | 'schema' | 'host' | 'claim' | 'read'

/** The locks and channels of a browser, which outlive its tabs. */
export interface Browser {
  readonly locks: FakeLocks
  readonly channels: FakeChannels
}

export const newBrowser = (): Browser => ({ locks: fakeLocks(), channels: fakeChannels() })

export interface LifeOptions {
  readonly runId: string
  readonly store: Store
  readonly witness: Witness
  readonly version: ToolVersion
  readonly held: ReadonlySet<Held>
  /** Gives a value that no page was given before. */
  readonly fresh: () => number
  /** An earlier version asked first about an interrupted call, in other words. */
  readonly hasOldWords?: boolean | undefined
  /** When its clock begins, in milliseconds. */
  readonly now?: number
  readonly browser: Browser
}

/** The life of a page, from its load to its end. After the end nothing of it reaches the world. */
export class Life {
  readonly gates: Gates = new Gates()
  readonly timers: Timers
  readonly runId: string
  readonly version: ToolVersion
  readonly browser: Browser
  /** This page's knowledge of the logs. */
  readonly emitted: Logs
  /** Receives each log that is read from its start. */
  onLoaded: (path: string, log: readonly Event[]) => void = () => {}
  /** Receives the events of child runs. */
  onChildEvent: (path: string, event: AnyEvent) => void = () => {}
  /** True if another page has continued the run. */
  isAway = false
  /** The number of claims and writes before this page was loaded. */
  readonly #owningBefore: number
  readonly fresh: () => number
  readonly #store: Store
  readonly #held: ReadonlySet<Held>
  readonly #hasOldWords: boolean
  readonly #ends: (() => void)[] = []
  #witness: Witness

  constructor({ runId, store, witness, version, held, fresh, hasOldWords = false, now, browser }: LifeOptions) {
    this.runId = runId
    this.browser = browser
    this.version = version
    this.fresh = fresh
    this.timers = new Timers(now)
    this.emitted = new Logs(witness.logs.entries)
    this.#owningBefore = witness.owning.length
    this.#store = store
    this.#held = held
    this.#hasOldWords = hasOldWords
    this.#witness = witness
  }

  /** The witness that the page reports to. A page that has ended reports to none. */
  get witness(): Witness {
    return this.#witness
  }

  end(): void {
    this.#witness = new Witness()
    this.gates.close()
    for (const onEnd of this.#ends) onEnd()
  }

  /** Calls back when the page ends. */
  onEnd(callback: () => void): void {
    this.#ends.push(callback)
  }

  /** The store of permissions for good, which all pages have. */
  get allowed(): PermissionStore {
    const { witness, gates } = this
    return {
      list: async () => {
        await gates.pass('list what is allowed')
        return witness.allowed
      },
      add: async (_, allowed) => {
        await gates.pass('allow for good')
        witness.allows(allowed)
      },
      remove: async (_, id) => witness.takesBack(id),
    }
  }

  /** Waits at a gate if such promises are held back. */
  hold(kind: Held, name: string): Promise<void> | undefined {
    return this.#held.has(kind) || this.gates.isClosed ? this.gates.pass(name) : undefined
  }

  #through<T>(kind: Held, work: () => T | PromiseLike<T>): T | PromiseLike<T> {
    return this.#held.has(kind) || this.gates.isClosed ? this.gates.through(kind, work) : work()
  }

  /** The path of a run: of the run itself, or of a child run. */
  pathOf(runId: string): string {
    return runId === this.runId ? '' : `${runId.slice(this.runId.length + 1)}/`
  }

  /** True if another page has claimed or written a log since this one was loaded. */
  get isOvertaken(): boolean {
    return this.#witness.owning.slice(this.#owningBefore).some((page) => page !== this)
  }

  /** Reads from the journal itself what it has more, whatever a write has said. */
  #look(runId: string): Promise<void> | undefined {
    const log = this.#witness.logs.of(this.pathOf(runId))
    const more = this.#store.read(runId, log.length)
    // Another page may read at the same time.
    const add = (events: readonly Event[]): void => void log.push(...events.filter(({ seq }) => seq >= log.length))
    if ('then' in more) return Promise.resolve(more).then(add)
    add(more)
    return undefined
  }

  readonly journal: Journal = {
    engine: journalEngine,
    list: () => [],
    delete: () => {},
    append: (id, events, options) => {
      const path = this.pathOf(id)
      const write = (): Promise<void> | undefined => {
        const written = this.#store.append(id, events, options)
        this.#witness.writes(path, this, { isJudged: !written })
        if (written) return Promise.resolve(written).then(() => this.#look(id))
        return this.#look(id)
      }
      return this.gates.through(`write ${path}${events.map(nameOf).join()}`, write, path)
    },
    read: (id, from) =>
      this.#through('read', () => {
        const loaded = (read: readonly Event[]): readonly Event[] => {
          const log = this.#hasOldWords ? read.map(inOldWords) : read
          if (!from) this.onLoaded(this.pathOf(id), log)
          return log
        }
        const log = this.#store.read(id, from)
        return 'then' in log ? log.then(loaded) : loaded(log)
      }),
    claim: (id, length) =>
      this.#through('claim', () => {
        const epoch = this.#store.claim(id, length)
        this.#witness.claims(this.pathOf(id), this)
        return epoch
      }),
  }

  readonly host: Host = {
    now: () => this.timers.now,
    newId: () => this.runId,
    timer: (ms, callback) => this.timers.set(ms, callback),
    perform: (effect, body) => {
      const held = effect.kind === 'wait' ? undefined : this.hold('host', `host ${nameOfEffect(effect)}`)
      return held ? held.then(body) : body()
    },
  }
}

/** Returns the first question about an interrupted call in the words of an earlier version. */
function inOldWords(event: Event): Event {
  if (event.type !== 'asked' || !event.ask.id.endsWith('/interruption')) return event
  return { ...event, ask: { ...event.ask, prompt: 'Did it run?' } }
}

const nameOf = (event: Event): string =>
  event.type === 'claimed' || event.type === 'observed' ? `${event.type} ${event.call}` : event.type
const nameOfEffect = ({ kind, key }: Effect): string => `${kind} ${key}`

/** A clock that stands still until the scheduler lets a timer ring. */
export class Timers {
  readonly #set = new Set<{ readonly at: number; readonly ring: () => void }>()
  now: number

  constructor(now = 1_000) {
    this.now = now
  }

  get size(): number {
    return this.#set.size
  }

  set(ms: number, ring: () => void): () => void {
    const timer = { at: this.now + ms, ring }
    this.#set.add(timer)
    return () => void this.#set.delete(timer)
  }

  /** Moves the clock to the next timer. */
  ring(): void {
    const [next] = [...this.#set].sort((a, b) => a.at - b.at)
    if (!next) return
    this.#set.delete(next)
    this.now = Math.max(this.now, next.at)
    next.ring()
  }
}

/** A version of the tool that asks for approval. Between two loads of a page its author may have changed it. */
export interface ToolVersion {
  readonly name: string
  /** A default that its schema fills in. */
  readonly currency: string
  /** The factor by which its schema multiplies the amount. To apply it twice is wrong. */
  readonly factor: number
  /** The prompt of its policy. */
  readonly prompt: string
  /** The description in the form of its input. */
  readonly description: string
}

const first: ToolVersion = { name: 'first', currency: 'EUR', factor: 100, prompt: 'Pay?', description: 'In cents.' }

/** The one that a run begins with, and the ones that it may go on with. */
export const toolVersions: readonly [ToolVersion, ...ToolVersion[]] = [
  first,
  { ...first, name: 'other default', currency: 'CHF' },
  { ...first, name: 'other transform', factor: 1_000 },
  { ...first, name: 'other prompt', prompt: 'Pay at once?' },
  { ...first, name: 'other schema', description: 'In tenths of a cent.' },
]
