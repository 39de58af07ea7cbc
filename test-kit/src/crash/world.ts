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

/** The part that outlives every page: the journal, the effects, and the time. */
export interface World {
  readonly kept: PlainJournal
  readonly deeds: Deed[]
  /** Every port that was passed, before and after each write, read, claim and effect. */
  readonly ports: string[]
  readonly crashes: number
  readonly refusals: number
  /** A page in this world, until the next crash. */
  live(): Life
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

/** Returns a new promise each time, so that everything that waits for it is garbage collected with it. */
const never = (): Promise<never> => new Promise(() => {})

/** A world in which lives end where the faults say. What a life that ended would still do is done nowhere. */
export function createWorld({
  faults = [],
  delays = [1],
  resamples = false,
  mutate = (life) => life,
}: WorldOptions = {}): World {
  const kept = plainJournal()
  const [deeds, ports] = [[] as Deed[], [] as string[]]
  let [time, passed, fault, crashes, refusals] = [1_000, 0, 0, 0, 0]

  const live = (): Life => {
    let alive = true
    const died = deferred<void>()
    const pass = async (port: string): Promise<void> => {
      for (let left = delays[ports.length % delays.length] ?? 1; left > 0; left--) await undefined
      if (!alive) return never()
      ports.push(port)
      const due = faults[fault]
      if (!due || passed++ < due.after || (due.kind === 'refuse' && !port.includes('journal'))) return undefined
      fault++
      passed = 0
      if (due.kind === 'refuse') {
        refusals++
        throw new Error('The disk is gone.')
      }
      crashes++
      alive = false
      died.resolve()
      return never()
    }
    /** Fails before it is done, or after, or not at all. */
    const through = async <T>(port: string, work: () => T | PromiseLike<T>): Promise<T> => {
      await pass(`before ${port}`)
      const [end] = await Promise.allSettled([Promise.resolve().then(work)])
      await pass(`after ${port}`)
      if (end.status === 'rejected') throw end.reason
      return end.value
    }
    const journal: Journal = {
      engine: journalEngine,
      list: () => [],
      delete: () => {},
      append: (id, events, options) =>
        through(`journal ${id} ${events.map(({ type }) => type).join(' ')}`, () => kept.append(id, events, options)),
      read: (id, from) => through(`journal read ${id}`, () => kept.read(id, from)),
      claim: (id, length) => through(`journal claim ${id}`, () => kept.claim(id, length)),
    }
    const host: Host = {
      now: () => time,
      newId: () => 'id',
      // Delays pass at once. What would end a call or a step that takes too long never comes.
      timer(ms, callback) {
        let off = ms >= 5_000
        const ring = (): void => {
          if (off || !alive) return
          time += ms
          callback()
        }
        void moment().then(ring)
        return () => {
          off = true
        }
      },
      perform: (effect, body) => through(`${effect.kind} ${effect.key}`, body),
    }
    const does = (deed: Deed): Promise<void> => {
      if (!alive) return never()
      deeds.push(deed)
      return moment()
    }
    const times = ({ kind, key }: Pick<Deed, 'kind' | 'key'>): number =>
      deeds.filter((deed) => deed.kind === kind && deed.key === key).length
    return mutate({ journal, host, died: died.promise, observers: [], resamples, does, times }, world)
  }
  const world: World = {
    kept,
    deeds,
    ports,
    get crashes() {
      return crashes
    },
    get refusals() {
      return refusals
    },
    live,
  }
  return world
}

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

const taken = (id: string): AgentError => new AgentError('journal_conflict', `Somebody else goes on with ${id}.`)
