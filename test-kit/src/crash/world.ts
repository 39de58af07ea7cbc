import { type Agent, AgentError, type Event, type Host, type Listener } from '@interleave/core'
import { deferred, journalEngine } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'

/** Something that was done to the world outside, or a question to a model, which costs. */
export interface Deed {
  readonly kind: 'tool' | 'model' | 'inner'
  readonly name: string
  /** The idempotency key of a tool call, or the position of a model call in the conversation. */
  readonly key: string
  /** The call of a tool. */
  readonly call?: string
  readonly input?: unknown
}

/** The fault that occurs when a port has been passed `after` times since the last fault. */
export interface Fault {
  readonly after: number
  /** The life ends there, or the journal refuses. A port that is no journal cannot refuse, so the next one does. */
  readonly kind: 'crash' | 'refuse'
}

export interface Life {
  readonly journal: Journal
  readonly host: Host
  readonly died: Promise<void>
  readonly observers: readonly Listener[]
  /** Does something to the world. From the crash on nothing does. */
  does(deed: Deed): Promise<void>
  /** Models that are asked the same again say something else. */
  readonly resamples: boolean
  /** The number of times that this was done. */
  times(deed: Pick<Deed, 'kind' | 'key'>): number
}

export type Describe = (life: Life) => Agent

export interface WorldOptions {
  readonly faults?: readonly Fault[]
  /** Microtasks that ports take, in turn. */
  readonly delays?: readonly number[]
  readonly resamples?: boolean
  /** Breaks a rule on purpose. */
  readonly mutate?: (life: Life, world: World) => Life
}

/**
 * The part that outlives every page: the journal, the effects, and the time. Lives end in it where the faults say, and what a life
 * that ended would still do is done nowhere.
 */
export class World {
  readonly kept: PlainJournal = plainJournal()
  readonly deeds: Deed[] = []
  /** Every port that was passed, before and after each write, read, claim and effect. */
  readonly ports: string[] = []
  crashes = 0
  refusals = 0
  time = 1_000
  readonly #options: WorldOptions
  #passed = 0

  constructor(options: WorldOptions = {}) {
    this.#options = options
  }

  /** Starts a page in this world, which lives until the next crash. */
  live(): Life {
    const { resamples = false, mutate = (life) => life } = this.#options
    const page = new Page(this)
    const does = (deed: Deed): Promise<void> => {
      if (!page.isAlive) return never()
      this.deeds.push(deed)
      return moment()
    }
    const times = ({ kind, key }: Pick<Deed, 'kind' | 'key'>): number =>
      this.deeds.filter((deed) => deed.kind === kind && deed.key === key).length
    const { journal, host, died } = page
    return mutate({ journal, host, died: died.promise, observers: [], resamples, does, times }, this)
  }

  /** Microtasks that the next port takes. */
  get delay(): number {
    const { delays = [1] } = this.#options
    return delays[this.ports.length % delays.length] ?? 1
  }

  /** Returns the fault that is due at a port, if there is one. */
  passPort(port: string): Fault['kind'] | undefined {
    const { faults = [] } = this.#options
    this.ports.push(port)
    const due = faults[this.crashes + this.refusals]
    if (!due || this.#passed++ < due.after || (due.kind === 'refuse' && !port.includes('journal'))) return undefined
    this.#passed = 0
    if (due.kind === 'refuse') this.refusals++
    else this.crashes++
    return due.kind
  }
}

/** One page of a world. */
class Page {
  readonly died: ReturnType<typeof deferred<void>> = deferred<void>()
  readonly #world: World
  isAlive = true

  constructor(world: World) {
    this.#world = world
  }

  async #pass(port: string): Promise<void> {
    for (let left = this.#world.delay; left > 0; left--) await undefined
    if (!this.isAlive) return never()
    const fault = this.#world.passPort(port)
    if (fault === 'refuse') throw new Error('The disk is gone.')
    if (fault === undefined) return undefined
    this.isAlive = false
    this.died.resolve()
    return never()
  }

  /** Fails before it is done, or after, or not at all. */
  async #through<T>(port: string, work: () => T | PromiseLike<T>): Promise<T> {
    await this.#pass(`before ${port}`)
    const [end] = await Promise.allSettled([Promise.resolve().then(work)])
    await this.#pass(`after ${port}`)
    if (end.status === 'rejected') throw end.reason
    return end.value
  }

  get journal(): Journal {
    const { kept } = this.#world
    return {
      engine: journalEngine,
      list: () => [],
      delete: () => {},
      append: (id, events, options) =>
        this.#through(`journal ${id} ${events.map(({ type }) => type).join(' ')}`, () =>
          kept.append(id, events, options),
        ),
      read: (id, from) => this.#through(`journal read ${id}`, () => kept.read(id, from)),
      claim: (id, length) => this.#through(`journal claim ${id}`, () => kept.claim(id, length)),
    }
  }

  get host(): Host {
    return {
      now: () => this.#world.time,
      newId: () => 'id',
      // Delays pass at once. What would end a call or a step that takes too long never comes.
      timer: (ms, callback) => {
        let off = ms >= 5_000
        const ring = (): void => {
          if (off || !this.isAlive) return
          this.#world.time += ms
          callback()
        }
        void moment().then(ring)
        return () => {
          off = true
        }
      },
      perform: (effect, body) => this.#through(`${effect.kind} ${effect.key}`, body),
    }
  }
}

/** Returns a new promise each time, so that everything that waits for it is garbage collected with it. */
const never = (): Promise<never> => new Promise(() => {})

const moment = async (): Promise<void> => {
  await undefined
}

/** A journal that is one list per run and copies nothing. */
interface PlainJournal extends Pick<Required<Journal>, 'append' | 'read' | 'claim'> {
  readonly logs: ReadonlyMap<string, readonly Event[]>
}

function plainJournal(): PlainJournal {
  const logs = new Map<string, readonly Event[]>()
  const owners = new Map<string, number>()
  const lengthOf = (id: string): number => logs.get(id)?.length ?? 0
  return {
    logs,
    append(id, events, { epoch } = {}) {
      if (events[0]?.seq !== lengthOf(id) || (epoch !== undefined && epoch !== owners.get(id))) throw taken(id)
      logs.set(id, [...(logs.get(id) ?? []), ...events])
    },
    read: (id, from = 0) => logs.get(id)?.slice(from) ?? [],
    claim(id, length) {
      if (length !== lengthOf(id)) throw taken(id)
      owners.set(id, (owners.get(id) ?? 0) + 1)
      return owners.get(id) ?? 0
    },
  }
}

const taken = (id: string): AgentError => new AgentError('journal_conflict', `Another owner continues ${id}.`)
