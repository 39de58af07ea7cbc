import { DEV } from '#checks'
import { AgentError, type ErrorCode, type Failure, isAgentError, messageOf, readThrown, toFailure } from './error.ts'
import type { Delta, Event, EventBody, Parent, SavingTrouble } from './event.ts'
import type { Host } from './host.ts'
import { assertOption } from './options.ts'
import type { Changes, RunState } from './state.ts'
import type { Approval, Interruptions } from './tool.ts'
import type { QuestionEngine } from './typedQuestion.ts'
import type { ModelId, Usage } from './usage.ts'

/**
 * The storage of logs. `append` is compare-and-append: it accepts events only if the log ends right before the first of
 * them, so that two owners of a run cannot both write. A journal with `claim` also rejects a stale owner whose events
 * would fit. An id that is empty or not a string is rejected with `options_invalid`.
 */
export interface JournalStore {
  /**
   * Resolves when the events are safe; no events are no change. Rejects with `journal_conflict` if `events[0].seq` is not
   * the log's length, or if there is an epoch and it is not that of the latest claim.
   */
  append(runId: string, events: readonly Event[], options?: AppendOptions): void | PromiseLike<void>
  /** Returns the log from a position; empty for a run that does not exist. */
  read(runId: string, from?: number): readonly Event[] | PromiseLike<readonly Event[]>
  /** Returns the list, newest first; runs of the same time in descending order of ids. Reads no logs. */
  list(options?: ListOptions): readonly RunSummary[] | PromiseLike<readonly RunSummary[]>
  /** Deletes the run and its child runs, whose ids begin with `<runId>/`. */
  delete(runId: string): void | PromiseLike<void>
  /**
   * Makes the caller the owner of a run: returns an epoch that no claim of this run had before, also if it was deleted
   * in between. Rejects with `journal_conflict`, and changes nothing, if the log has another length. Without it `seq`
   * alone separates two owners.
   */
  claim?(runId: string, length: number): number | PromiseLike<number>
  /**
   * Tells what the journal is, such as the name and place of its database: journals with the same `identity` have the
   * same runs. A run that is alive is found by it, also after a hot reload has made a new object. Without it, each
   * object is a journal of its own; one that wraps another has that one's.
   */
  readonly identity?: string | object | null | undefined
}

/** A journal that changes events for good, such as one that removes secrets. */
export interface ChangingJournal extends JournalStore {
  /** Returns these events as `append` stores them, so that a write whose response was lost is recognized. */
  stored(runId: string, events: readonly Event[]): readonly Event[]
}

/** The part of a run that a journal has. */
export interface Past {
  readonly state: RunState
  readonly events: readonly Event[]
  /** The engine of a run without a journal. */
  readonly engine?: JournalEngine
}

export interface OpenOptions {
  readonly journal?: JournalStore | undefined
  readonly renamedFrom?: string | undefined
}

export interface KeptOptions extends OpenOptions {
  readonly journal: JournalStore
}

/** The parts of the engine that only runs with a journal need. Each journal provides them. */
export interface JournalEngine {
  /** The changes of all events, since a stored log may have any. */
  readonly changes: Changes
  /** The code for questions of any kind, which an earlier page may have asked. */
  readonly questions: QuestionEngine
  /** Asks again about a call whose tool asks no longer. */
  readonly approval: Approval
  readonly interruptions: Interruptions
  /** Returns the past of a run of this agent, as the journal has it. It is validated, whatever wrote it. */
  open(runId: string, agent: { readonly name: string }, options: KeptOptions): Promise<Past>
  /** Returns the path to an invalid member of an event, since a log with that event could not be read again. */
  invalidPathOf(event: EventBody): string | undefined
  /** Creates the writer of a run's events. */
  write(options: WriterOptions): RunWriter
  /** Persists the part of a turn that has arrived, in case the page closes. */
  drafts(run: DraftedRun): Drafts
  /** Returns an interrupted turn from its draft. It is shown, and requested again. */
  interruptedTurn(run: DraftedRun): EventBody | undefined
  recovery(run: RecoveredRun): RunRecovery
  /** Returns the attempts at a turn in the log, if some failed. */
  attemptsOf(run: NotedRun, turn: AttemptedTurn): Attempts | undefined
  /** Persists the attempts before a retry, so that a reloaded page has no more attempts than one that stays. */
  noteAttempts(run: NotedRun, turn: AttemptedTurn, attempts: Attempts): Promise<void>
}

/** The progress of a turn with failed attempts. */
export interface Attempts {
  /** The index of the model that is called next. */
  readonly index: number
  /** The number of failures. */
  readonly attempt: number
  /** The usage of all failures. */
  readonly spent: Usage
}

/** The requested turn. */
export interface AttemptedTurn {
  readonly key: string
  readonly models: readonly unknown[]
  /** Set only for a turn of the conversation. */
  readonly receiver?: unknown
}

/** The part of a run that notes read and write. */
export interface NotedRun {
  readonly state: RunState
  emit(event: EventBody): void
  durable(): PromiseLike<void> | undefined
}

/** The part of a run that drafts read and write. */
export interface DraftedRun extends NotedRun {
  readonly agent: { readonly models: readonly ModelId[] }
  readonly host: Pick<Host, 'onLeave' | 'timer'>
}

/** The part of a run that a recovery listens to. */
export interface RecoveredRun {
  readonly abortSignal: AbortSignal
  /**
   * Calls back, within the write, when the journal accepts events that it rejected before. Returns a function that ends
   * this.
   */
  onRecovered(callback: () => void): () => void
}

/** The drafts of one turn. */
export interface Drafts {
  /** Creates the receiver of an attempt's deltas, which calls `receive` too. Discards the previous attempt's draft. */
  attempt(receive: (delta: Delta) => void): (delta: Delta) => void
  /** Stops writing drafts. Call it before the turn is emitted. */
  end(): void
}

/** Restarts concurrent parts of a run after a failed write. */
export interface RunRecovery {
  /** Runs one part. `work` resumes where it was if it is called again. */
  through<T>(work: () => Promise<T>): Promise<T>
}

export interface WriterOptions {
  readonly journal: JournalStore & Partial<ChangingJournal>
  /** Returns the id of the run, which is in its first event. */
  readonly runId: () => string
  /** The number of events that the journal already has. */
  readonly durableSeq: number
  readonly host: Pick<Host, 'timer'>
  /** Called with each failed write that is tried again, and without one when that is over. */
  onSaving(trouble: SavingTrouble | undefined): void
}

/** Writes the events of one run to its journal. */
export interface RunWriter {
  /** The number of events that the journal has. */
  readonly durableSeq: number
  /** The number of failed writes. */
  readonly failures: number
  add(event: Event): void
  claim(): void
  durable(durability?: Durability): Promise<void> | undefined
  release(): void
  close(): Promise<void>
  onWritten(callback: () => void): () => void
  onFailed(callback: (error: unknown) => void): () => void
  failureOf(error: unknown): number
}

/** A run that was saved as JSON, without a journal. */
export interface SavedRun {
  readonly state: RunState
  open(agent: { readonly name: string }, options: OpenOptions): Promise<Past>
}

/** A journal that runs can work with. `createJournal()` makes one of your own store. */
export interface Journal extends JournalStore {
  readonly engine: JournalEngine
}

/** A journal that also reports changes by other tabs, workers and processes. */
export interface WatchableJournal extends Journal {
  /** Calls the listener when a list may look different. Returns a function that ends this. */
  watch(listener: () => void): () => void
}

/**
 * A journal that measures time with one clock for all processes that share it, so that a server whose clock is wrong
 * takes over no run that is alive.
 */
export interface TimedJournal extends Journal {
  /** Returns the milliseconds since the run was last written or claimed; undefined if there is no such run. */
  idleMs(runId: string): number | undefined | PromiseLike<number | undefined>
}

export interface AppendOptions {
  /** The result of `claim`. Without it only `seq` is compared, for example when a log is copied. */
  epoch?: number | undefined
  /**
   * The required durability. `relaxed`, the default, survives the page and the browser; `strict` also survives a power
   * cut, and is slower. It is used before a tool starts that changes something, and for a user's replies.
   */
  durability?: Durability
}

export type Durability = 'relaxed' | 'strict'

export interface ListOptions {
  /** Lists only the runs of the agent with this name. */
  agent?: string
  /** Lists only the children of this run, whose ids begin with `<id>/`. */
  below?: string
  /**
   * For paging: only runs after this one, the last of the previous page. A time, in milliseconds since the epoch,
   * returns runs last written before it; runs with the same time may then be skipped.
   */
  before?: number | Pick<RunSummary, 'runId' | 'updatedAt'>
  /** The maximum number of runs; 50 by default. */
  limit?: number
}

export interface RunSummary {
  readonly runId: string
  readonly agent: string
  readonly version: string
  /** The parent run; absent for runs that a user started. */
  readonly parent?: Parent
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly updatedAt: number
  /** The number of events in its log. */
  readonly events: number
  /** The type of the signal it settled with; absent while it runs. */
  readonly signal?: string
  /** The beginning of the user's first message. */
  readonly title: string
}

/** Returns the journal with some methods replaced. A `claim` is used only if the journal has one. */
export function decorateJournal<J extends JournalStore>(
  journal: J,
  decorate: (
    inner: Required<JournalStore>,
  ) => Partial<ChangingJournal & Pick<TimedJournal, 'idleMs'>> & { readonly [member: symbol]: unknown },
): J {
  const { claim, ...methods } = decorate(journal as Required<JournalStore>)
  const decorated = { ...methods, ...(journal.claim && claim && { claim }), identity: journal.identity ?? journal }
  for (const key of membersOf(journal)) {
    if (Object.hasOwn(decorated, key)) continue
    Object.defineProperty(decorated, key, {
      ...{ configurable: true, enumerable: true },
      get(): unknown {
        const member: unknown = Reflect.get(journal, key)
        return typeof member === 'function' ? member.bind(journal) : member
      },
      set: (value: unknown) => Reflect.set(journal, key, value),
    })
  }
  return decorated as Partial<J> as J
}

/** Returns the names of all members of an object, including those of its class. */
function membersOf(object: object): ReadonlySet<PropertyKey> {
  const names = new Set<PropertyKey>()
  for (let from: object | null = object; from && from !== Object.prototype; from = Reflect.getPrototypeOf(from)) {
    for (const name of Reflect.ownKeys(from)) if (name !== 'constructor') names.add(name)
  }
  return names
}

const full = 'The journal has no room. Keep the run with exportRun(run), delete old ones with prune(), and resume() it.'

/** Converts a journal's exception to our error. A full journal has its own code, since a user can make room. */
export function toJournalError(error: unknown, done: 'read' | 'written' = 'written'): AgentError {
  if (isAgentError(error)) return error
  const options = { cause: error, retryable: true }
  if (readThrown(error, ({ name }) => name === 'QuotaExceededError', false)) {
    return new AgentError('journal_full', `${full} Nothing of it is lost while this page is open.`, options)
  }
  return new AgentError('journal_failed', `The journal could not be ${done}: ${messageOf(error)}`, options)
}

/** Returns true if the run cannot continue because its log is not durable. */
export const isJournalError = (error: unknown): boolean => isAgentError(error) && error.code.startsWith('journal_')

/** The failures of journals that runs of this code met. Tools and steps may throw errors that look the same. */
const faults = new WeakSet<object>()

/** Marks an error as a failure of a run's journal, and returns it. */
export function journalFault<E>(error: E): E {
  faults.add(Object(error))
  return error
}

/** Returns true if a journal of this or another run of this code failed with this error. */
export const isJournalFault = (error: unknown): boolean => faults.has(Object(error))

/** Returns the failure of a step or a model. Errors of another journal get `code`, since this run may have its own. */
export function ownFailure(error: unknown, code: ErrorCode): Failure {
  const failure = toFailure(error, code)
  return isJournalError(error) && !isJournalFault(error) ? { ...failure, code } : failure
}

/**
 * Reads a log from a journal, from a position. Throws if it gives no list, as one of the app may. A read error may be
 * temporary, and is not the caller's fault.
 */
export async function readLog(journal: JournalStore, runId: string, from?: number): Promise<readonly Event[]> {
  let log: unknown
  try {
    log = await journal.read(runId, from)
  } catch (error) {
    throw journalFault(toJournalError(error, 'read'))
  }
  if (Array.isArray(log)) return log
  const why = 'it has no events. `read` of the journal must return a list of them, empty for an unknown run'
  throw new AgentError('log_invalid', `The log of run "${runId}" cannot be used: ${why}.`)
}

/** Returns the runs that a journal lists. Throws if it gives no list, as one of the app may. */
export async function listedRuns(
  journal: Pick<JournalStore, 'list'>,
  options?: ListOptions,
): Promise<readonly RunSummary[]> {
  const list = async (): Promise<unknown> => journal.list(options)
  const runs = await list().catch((error: unknown) => {
    throw toJournalError(error, 'read')
  })
  const fit = Array.isArray(runs) && runs.every((run) => typeof run?.runId === 'string')
  assertOption(fit, DEV && '`list` of the journal must return the summaries of its runs: [{ runId, … }].')
  return runs
}
