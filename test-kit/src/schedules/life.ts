import type { Effect, Event, Host } from '@interleave/core'
import { journalEngine } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { Gates } from './gates.ts'
import { Timers } from './timers.ts'
import type { ToolVersion } from './toolVersions.ts'
import { Witness } from './witness.ts'

/** What schedules need of a journal. */
export type Store = Pick<Required<Journal>, 'append' | 'read' | 'claim'>

/** Where promises may be held back, besides writes to the journal, which always are. */
export type Held = 'model' | 'stream' | 'policy' | 'schema' | 'host' | 'claim' | 'read'

export interface LifeOptions {
  readonly runId: string
  readonly store: Store
  readonly witness: Witness
  readonly version: ToolVersion
  readonly held: ReadonlySet<Held>
  /** Gives a value that no page was given before. */
  readonly fresh: () => number
}

/** What a page lives on, from its load to its end. From the end on nothing of it reaches the world. */
export class Life {
  readonly gates: Gates = new Gates()
  readonly timers: Timers = new Timers()
  readonly runId: string
  readonly version: ToolVersion
  /** What this page knows of the log. */
  readonly emitted: Event[]
  readonly fresh: () => number
  readonly #store: Store
  readonly #held: ReadonlySet<Held>
  #witness: Witness

  constructor({ runId, store, witness, version, held, fresh }: LifeOptions) {
    this.runId = runId
    this.version = version
    this.fresh = fresh
    this.emitted = [...witness.journal]
    this.#store = store
    this.#held = held
    this.#witness = witness
  }

  /** To whom the page reports. One that has ended reports to nobody. */
  get witness(): Witness {
    return this.#witness
  }

  end(): void {
    this.#witness = new Witness()
    this.gates.close()
  }

  /** Waits at a gate if such promises are held back. */
  hold(kind: Held, name: string): Promise<void> | undefined {
    return this.#held.has(kind) || this.gates.isClosed ? this.gates.pass(name) : undefined
  }

  #through<T>(kind: Held, work: () => T | PromiseLike<T>): T | PromiseLike<T> {
    return this.#held.has(kind) || this.gates.isClosed ? this.gates.through(kind, work) : work()
  }

  /** Reads from the journal itself what it has more, whatever a write has said. */
  #look(): Promise<void> | undefined {
    const { journal } = this.#witness
    const more = this.#store.read(this.runId, journal.length)
    if ('then' in more) return Promise.resolve(more).then((events) => void journal.push(...events))
    journal.push(...more)
    return undefined
  }

  readonly journal: Journal = {
    engine: journalEngine,
    list: () => [],
    delete: () => {},
    append: (id, events, options) => {
      const write = (): Promise<void> | undefined => {
        const written = this.#store.append(id, events, options)
        return written ? Promise.resolve(written).then(() => this.#look()) : this.#look()
      }
      return this.gates.through(`write ${events.map(nameOf).join()}`, write, { isWrite: true })
    },
    read: (id, from) => this.#through('read', () => this.#store.read(id, from)),
    claim: (id, length) => this.#through('claim', () => this.#store.claim(id, length)),
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

const nameOf = (event: Event): string =>
  event.type === 'called' || event.type === 'observed' ? `${event.type} ${event.call}` : event.type
const nameOfEffect = ({ kind, key }: Effect): string => `${kind} ${key}`
