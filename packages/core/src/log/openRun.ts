import { AgentError } from '../error.ts'
import type { AnyEvent, Event } from '../event.ts'
import type { JournalStore } from '../journal.ts'
import type { AgentHandle, EventOf, Listener, Run } from '../run.ts'
import type { RunState } from '../state.ts'
import type { Log } from './log.ts'

/**
 * A run with the members that its views read. The members have names, not symbols, since a page may contain more than
 * one copy of this package.
 */
export interface OpenRun<Output = unknown> extends Run<Output> {
  /** False if its turns cannot call a tool; unknown for a run elsewhere. */
  readonly mayCall?: boolean
  /** Its log, if a journal has it. */
  readonly journaled?: Journaled | undefined
  /** The journal that it writes to, which also has the logs of its child runs. */
  readonly journal?: JournalStore | undefined
  /** The part of a remote run that is known only here. */
  readonly localFailure?: LocalFailure | undefined
  /** Ends this object of a run with a journal for good, with that of its children, so that another one can resume it. */
  handOver?(reason: Takeover): Promise<void>
  /** Takes the code of a later evaluation of its agent's module, for the work that begins from now on. */
  adopt?(agent: AgentHandle): void
  /** True if it only shows the past, and no event follows. */
  readonly isStill?: boolean
  /** True if it only shows a file. */
  readonly isOfFile?: boolean
}

/** The log of a run that is written to a journal. */
export interface Journaled extends Pick<Log, 'state' | 'log' | 'durable' | 'durableSeq' | 'onRecovered' | 'onFailed'> {
  /** The run's first state here: the fold of the events that the journal had. */
  readonly past: RunState
  subscribe(listener: Listener): () => void
}

/** The part of a remote run that is in no journal: that it is unreachable, and this page's latest messages. */
export interface LocalFailure {
  /** The state before it. */
  readonly state: RunState
  readonly fault: EventOf<'settled'> | undefined
}

/** Returns true for a run, of this or another copy of this package. */
export const isRun = (value: unknown): value is Run => {
  const { subscribe, log } = Object(value) as Partial<Run>
  return typeof subscribe === 'function' && Array.isArray(log)
}

/** Resolves when the journal has a run, or its first `length` events: the write of a later one may fail. */
export async function durable({ journaled }: OpenRun, length: number = Number.POSITIVE_INFINITY): Promise<void> {
  if (journaled && journaled.durableSeq < length) await journaled.durable()
}

/**
 * Returns true if another owner has continued the run, so that this object of it is useless. What the journal has is not
 * meant: there, a conflict is one of a child run.
 */
export function isOvertaken({ state, journaled }: OpenRun): boolean {
  const { signal, seq } = state
  const isConflict = signal?.type === 'failed' && signal.error.code === 'journal_conflict'
  return isConflict && (journaled === undefined || journaled.durableSeq < seq)
}

/** Binds methods of a run, since apps pass them on, as in `onClick={run.resume}`. */
export function bindMethods<R extends object>(run: R, ...names: readonly (keyof R)[]): void {
  for (const name of names) run[name] = (run[name] as CallableFunction).bind(run) as R[keyof R]
}

/** The reason that ends an object of a run when another one replaces it. A stop, in contrast, ends the run. */
export interface Takeover extends AgentError {
  readonly isTakeover: true
}

export const takeoverOf = ({ state: { agent } }: Run): Takeover =>
  Object.assign(new AgentError('ask_unknown', `The agent "${agent}" was resumed meanwhile. Reply again.`), {
    isTakeover: true as const,
  })

export const isTakeover = (reason: AgentError | Takeover): reason is Takeover => 'isTakeover' in reason

/** Gives a run that is alive here the agent of a later evaluation of its module, as a resumption would. */
export const adopt = (run: OpenRun, agent: AgentHandle): void => run.adopt?.(agent)

/** Ends an object of a run that another one replaces: it writes its pending events, and then no more. */
export const handOver = async (run: OpenRun, reason: Takeover): Promise<void> => run.handOver?.(reason)

/** The state, the events and the listeners of a run, or of a part of it. */
export interface EventSource {
  readonly state: RunState
  readonly log: readonly Event[]
  readonly mayCall?: boolean
  readonly isStill?: boolean
  subscribe(listener: (event: AnyEvent, state: RunState) => void): () => void
}
