import {
  AgentError,
  type AgentHandle,
  type Host,
  type RunState,
  type StartOptions,
  type UserContent,
} from '@interleave/core'

import { isAgent, isConflict, isWorkedOn, readPast } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { createLiveRun, type LiveRun } from './liveRun.ts'

/** Wraps a journal so that it reports as soon as another owner takes over a run. */
function notingJournal(journal: Journal, runId: string, onConflict: () => void): Journal {
  const claim = journal.claim?.bind(journal)
  const noting = async <T>(id: string, work: () => T | PromiseLike<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      if (id === runId && isConflict(error)) onConflict()
      throw error
    }
  }
  return {
    engine: journal.engine,
    append: (id, events, options) => noting(id, () => journal.append(id, events, options)),
    read: (id, from) => journal.read(id, from),
    list: (options) => journal.list(options),
    delete: (id) => journal.delete(id),
    ...(claim && { claim: (id: string, length: number) => noting(id, () => claim(id, length)) }),
  }
}

/** The runs that are alive in this process. */
export interface LiveRuns {
  find(id: string): LiveRun | undefined
  /** Returns the run if it is alive, was not taken over elsewhere, and was not deleted while it is settled here. */
  look(id: string): Promise<LiveRun | undefined>
  /** Returns true if it is alive, or being opened. */
  isOpening(id: string): boolean
  start(agent: AgentHandle, input: UserContent, options: Started): Promise<LiveRun>
  /** Does what may start a run. Commands for it that come meanwhile wait until it is started, or is not. */
  whileStarting<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Returns the run, alive or from the journal: then it is taken over from its owner. */
  open(id: string): Promise<LiveRun>
  /** It is of no use here any more. */
  drop(live: LiveRun): void
  /** Ends the run, and then has it taken out of the journal. Who opens or begins one of this id meanwhile comes after that. */
  remove(id: string, takeOut: () => void | PromiseLike<void>): Promise<void>
  /** True if another process uses the journal, as far as is known. */
  readonly isShared: boolean
  /** Returns true if no process works on a run of the journal, so that it may be taken over. */
  isAbandoned(id: string, state: Pick<RunState, 'rest' | 'updatedAt'>): boolean
  /** Returns the number of an owner's running runs. */
  countAtWork(owner: string): number
}
type Started = Pick<StartOptions, 'key'> & { readonly id: string }

export interface LiveRunsOptions {
  readonly agents: ReadonlyMap<string, AgentHandle>
  readonly journal: Journal
  readonly host: Host
  /** Given where other processes have the journal, too. */
  readonly takeoverAfterMs?: number
  /** Milliseconds that a settled run stays in memory, in case it continues; a minute by default. */
  readonly idleMs?: number
}

export function createLiveRuns(options: LiveRunsOptions): LiveRuns {
  const { agents, journal, host, takeoverAfterMs = 60_000, idleMs = 60_000 } = options
  const opening = new Map<string, Promise<LiveRun>>()
  const alive = new Map<string, LiveRun>()
  const removing = new Map<string, Promise<void>>()
  const starting = new Map<string, Promise<unknown>>()
  /**
   * True if another process uses the journal. A process that was configured as the only one finds out when a run is
   * taken from it, for example by the next version during a deployment. It then takes nothing back at once: two would
   * take a run from each other forever.
   */
  let isShared = options.takeoverAfterMs !== undefined

  const drop = (live: LiveRun): PromiseLike<void> | undefined => {
    if (alive.get(live.id) !== live) return undefined
    alive.delete(live.id)
    opening.delete(live.id)
    return live.end()
  }
  /** Frees settled, durable runs: the journal has all of them. */
  const lookIfIdle = (live: LiveRun): void => {
    const { run } = live
    const { seq } = run.state
    const isIdle = (): boolean =>
      alive.get(live.id) === live && !live.isUsed && run.state.rest !== undefined && run.state.seq === seq
    if (!isIdle()) return
    host.timer(idleMs, async () => {
      // A write that seemed to fail may have come through.
      if (isIdle() && (isWhole(live) || (await isKept(live))) && isIdle()) drop(live)
    })
  }
  /** Returns true if the journal has exactly what is known here. */
  const isKept = async ({ id, run }: LiveRun): Promise<boolean> => {
    try {
      const { length } = await journal.read(id, run.state.seq - 1)
      if (length > 1) isShared = true
      return length === 1
    } catch {
      return false
    }
  }
  const look = async (id: string): Promise<LiveRun | undefined> => {
    const live = alive.get(id)
    const { seq } = live?.run.state ?? {}
    if (!live?.run.state.rest || !isWhole(live)) return live
    if (!(await isKept(live)) && live.run.state.seq === seq) drop(live)
    return alive.get(id)
  }
  const add = (id: string, begin: (ends: Ends) => Promise<LiveRun>): Promise<LiveRun> => {
    let live: LiveRun | undefined
    let isLost = false
    const ends = {
      onConflict() {
        isLost = true
        isShared = true
        if (live) drop(live)
      },
      onIdle: () => live && lookIfIdle(live),
    }
    const before = removing.get(id)
    const adding = (before ? before.then(() => begin(ends)) : begin(ends)).then((it) => {
      live = it
      alive.set(id, it)
      // What came of it before it was here.
      if (isLost) drop(it)
      else lookIfIdle(it)
      return it
    })
    opening.set(id, adding)
    adding.catch(() => opening.get(id) === adding && opening.delete(id))
    return adding
  }
  const load = async (id: string, ends: Ends): Promise<LiveRun> => {
    const { state } = await readPast(id, { journal })
    const agent = agents.get(state.agent)
    if (!agent) throw new AgentError('agent_mismatch', `There is no agent "${state.agent}" here.`)
    return createLiveRun({ id, ...ends }, (onConflict) =>
      isAgent(agent) ? agent.resume(id, { journal: notingJournal(journal, id, onConflict), host }) : agent.resume(id),
    )
  }

  return {
    find: (id) => alive.get(id),
    get isShared() {
      return isShared
    },
    isOpening: (id) => opening.has(id),
    start: (agent, input, options) =>
      add(options.id, (ends) =>
        createLiveRun({ id: options.id, ...ends }, (onConflict) =>
          isAgent(agent)
            ? agent.start(input, { ...options, journal: notingJournal(journal, options.id, onConflict), host })
            : agent.start(input, options),
        ),
      ),
    look,
    whileStarting<T>(id: string, work: () => Promise<T>): Promise<T> {
      const begun = work()
      const over: Promise<unknown> = begun
        .then(ignore, ignore)
        .then(() => starting.get(id) === over && starting.delete(id))
      starting.set(id, over)
      return begun
    },
    async open(id) {
      // Where nothing starts it, it counts at once.
      if (!opening.has(id) && starting.has(id)) await starting.get(id)
      // One that is not here yet counts from now on.
      if (opening.has(id)) await look(id)
      return opening.get(id) ?? add(id, (ends) => load(id, ends))
    },
    drop,
    remove(id, takeOut) {
      const removal = Promise.allSettled([removing.get(id), opening.get(id)]).then(async () => {
        const live = alive.get(id)
        // It may have a run below it begun that would be left behind.
        if (live) await drop(live)
        await takeOut()
      })
      const over = removal.catch(() => {}).then(() => void (removing.get(id) === over && removing.delete(id)))
      removing.set(id, over)
      return removal
    },
    isAbandoned: (id, { rest, updatedAt }) =>
      !rest && (isShared ? host.now() - updatedAt > takeoverAfterMs : !isWorkedOn(journal, id)),
    countAtWork: (owner) =>
      [...opening.keys()].filter((id) => id.startsWith(`${owner}/`) && !alive.get(id)?.run.state.rest).length,
  }
}

const ignore = (): void => {}

/**
 * Returns true if the journal has all of it, as far as is known. A remote run that cannot be reached ends with a fault.
 */
const isWhole = ({ run, view }: LiveRun): boolean =>
  view.kept.length === run.state.seq || (view.fault !== undefined && 'close' in run)

interface Ends {
  readonly onConflict: () => void
  readonly onIdle: () => void
}
