import { Notifier, pause, until } from '@interleave/connect/internal'
import {
  type Agent,
  AgentError,
  type Failure,
  type Host,
  isAgentError,
  type Listener,
  type Run,
} from '@interleave/core'
import { isOvertaken } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { Commands } from './commands.ts'
import type { OpenCommand } from './inboxObject.ts'
import type { Inbox } from './ingress.ts'
import { LeasedPages } from './leasedPages.ts'
import { openRun } from './openRun.ts'
import { Segment, type SegmentLimits } from './segment.ts'
import type { StartCommand } from './sentCommand.ts'
import type { WorkEnd } from './workObject.ts'

/** An attempt to execute a run. */
interface RunAttempt {
  readonly runId: string
  /** Aborted when the attempt is over: another one may continue the run. */
  readonly abortSignal: AbortSignal
  /** The start command. In the first attempt there are no earlier commands. */
  readonly start?: StartCommand & { readonly isFirst: boolean }
  /** Milliseconds between polls for commands, without `takeCommands()`. */
  readonly pollMs?: number
}

export interface RunWorkOptions {
  readonly agents: ReadonlyMap<string, Agent>
  readonly journal: Required<Journal>
  readonly inbox: Inbox
  readonly limits: SegmentLimits
  readonly host: Host
  readonly observers: readonly Listener[]
  /** Returns the context of a run. */
  readonly contextOf?: ((runId: string) => unknown) | undefined
  /** Called with the reason why it cannot execute now. */
  readonly onFault?: (error: unknown) => void
  /** Milliseconds within which followers notice recorded events. */
  readonly noticeMs: number
}

export interface Ended {
  readonly end: WorkEnd
  /** The reason why it did not start. */
  readonly failure?: Failure
}

/** A run that executes here, until it settles without pending commands, or for a segment. */
export class RunWork {
  readonly ended: Promise<Ended>
  readonly #attempt: RunAttempt
  readonly #options: RunWorkOptions
  readonly #segment: Segment
  readonly #leasedPages: LeasedPages
  readonly #tasks = new Tasks()
  readonly #closing = new AbortController()
  /** The id of this attempt, once it has recorded that the run executes here. */
  #attemptId: string | undefined
  #commands: Commands | undefined
  /** True if a command arrived before the run was open. */
  #isMissed = false
  /** Wakes a run that waits for a user. */
  #lingering: Notifier | undefined

  constructor(attempt: RunAttempt, options: RunWorkOptions) {
    const { runId, abortSignal, pollMs = 0 } = attempt
    const { journal, inbox, host, limits, noticeMs, onFault } = options
    this.#attempt = attempt
    this.#options = options
    const isElsewhere = async (): Promise<boolean> => (await inbox.take()).attempt !== this.#attemptId
    this.#segment = new Segment({ runId, journal, limits, host, isElsewhere })
    this.#leasedPages = new LeasedPages({ runId, inbox, host, withinMs: noticeMs + pollMs })
    // Closes the segment before requests with the same signal fail in the run.
    abortSignal.addEventListener('abort', () => this.#segment.close(), { once: true })
    if (abortSignal.aborted) this.#segment.close()
    this.ended = until(this.#work(), { signal: abortSignal })
      .catch((error: unknown): Ended => {
        if (!abortSignal.aborted) onFault?.(error)
        if (isAgentError(error) && error.code === 'agent_mismatch') return { end: 'later' }
        throw error
      })
      .finally(() => this.close())
  }

  /** True if no command is being carried out. */
  get isIdle(): boolean {
    return this.#tasks.isEmpty
  }

  takeCommands(): void {
    this.#tasks.addTask(this.#takeCommands())
  }

  /** Ends the attempt: from now on it writes nothing, and no effect starts. */
  close(): void {
    this.#segment.close()
    this.#leasedPages.close()
    this.#closing.abort()
  }

  async #work(): Promise<Ended> {
    const { runId, start, pollMs } = this.#attempt
    if (start?.isFirst !== true) this.#attemptId = this.#options.host.newId()
    const commands = await this.#enter()
    if (!commands) return { end: 'crowded' }
    const [segment, leasedPages] = [this.#segment, this.#leasedPages]
    const given = { ...this.#options, journal: segment.journal, host: segment.host, commands, ...(start && { start }) }
    const opened = await openRun(runId, given)
    if ('failure' in opened) return { end: 'rests', failure: opened.failure }
    const { run, isNew } = opened
    if (!run) return { end: 'rests' }
    segment.attend(run)
    this.#commands = new Commands(run, { ...this.#options, segment, leasedPages, isNew })
    this.#tasks.addTask(this.#commands.carryOut(commands))
    if (this.#isMissed) this.takeCommands()
    // It ends with the invocation, or with its failure.
    if (pollMs !== undefined) this.#pollCommands(pollMs).catch(() => {})
    return this.#untilOver(run)
  }

  /** Returns the pending commands; undefined if Restate has no capacity for the requests of another run. */
  async #enter(): Promise<readonly OpenCommand[] | undefined> {
    const { inbox, onFault } = this.#options
    const { runId, abortSignal } = this.#attempt
    try {
      return this.#attemptId === undefined ? [] : (await inbox.enter(this.#attemptId)).open
    } catch (error) {
      if (abortSignal.aborted || !isAgentError(error) || !error.retryable) throw error
      onFault?.(noCapacity(runId, error))
      return undefined
    }
  }

  async #untilOver(run: Run): Promise<Ended> {
    const { journal, host, limits } = this.#options
    const more = this.#segment.ended.then((): Ended => ({ end: 'more' }))
    const lost = untilLost(run)
    for (;;) {
      const end = await Promise.race([more, lost, run.settled])
      if ('end' in end) return end
      const ended = await Promise.race([more, lost, this.#tasks.untilEmpty()])
      if (ended) return ended
      if (isFull(run)) await persistSignal(run, journal)
      if (run.state.signal?.type === 'inputNeeded') {
        this.#lingering = new Notifier(host)
        await this.#lingering.next(limits.lingerMs)
      }
      // Another invocation carries out the commands that arrive now.
      if (run.state.signal && this.isIdle) return { end: 'rests' }
    }
  }

  async #takeCommands(): Promise<void> {
    if (!this.#commands) {
      this.#isMissed = true
      return
    }
    const { open, attempt } = await this.#options.inbox.take()
    // If nothing reports the end of an attempt, this check finds it.
    if (attempt !== this.#attemptId && (await this.#segment.isTakenOver())) return
    if (open.length > 0) this.#lingering?.notify()
    this.#tasks.addTask(this.#commands.carryOut(open))
  }

  async #pollCommands(everyMs: number): Promise<void> {
    const { signal } = this.#closing
    for (;;) {
      await pause(this.#options.host, everyMs, signal)
      if (signal.aborted) return
      await this.#takeCommands()
    }
  }
}

/** Tasks that run at the same time. */
export class Tasks {
  readonly #tasks = new Set<Promise<unknown>>()
  #fault: { readonly error: unknown } | undefined

  get isEmpty(): boolean {
    return this.#tasks.size === 0
  }

  addTask(task: Promise<unknown>): void {
    const done = task
      .catch((error: unknown) => {
        this.#fault ??= { error }
      })
      .finally(() => this.#tasks.delete(done))
    this.#tasks.add(done)
  }

  /** Resolves when all tasks are done, also those that are added meanwhile. Rejects with the first error. */
  async untilEmpty(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks)
    if (this.#fault) throw this.#fault.error
  }
}

/** Returns true if a run failed because a write was too large. */
const isFull = ({ state: { signal } }: Run): boolean =>
  signal?.type === 'failed' && signal.error.code === 'journal_full'

/** Persists the signal instead of the oversized write. Resuming starts the open calls again. */
async function persistSignal(run: Run, journal: Pick<Journal, 'append' | 'read'>): Promise<void> {
  const settled = run.log.at(-1)
  const last = (await journal.read(run.id)).at(-1)
  if (settled?.type !== 'settled' || !last) return
  await journal.append(run.id, [{ ...settled, seq: last.seq + 1, iteration: last.iteration }])
}

/**
 * Creates the error that frees a slot before anything could be lost: runs may occupy all slots while they wait for
 * their own requests.
 */
const noCapacity = (runId: string, cause: AgentError): AgentError =>
  new AgentError(
    'remote_failed',
    `The run ${runId} yields for a while, because Restate does not answer its requests. If this happens often, set worker.invoker.concurrent-invocations-limit to twice the number of running runs per partition. ${cause.message}`,
    { cause, retryable: true },
  )

/** Rejects when another owner has written to the log. The run then settles only here. */
function untilLost(run: Run): Promise<never> {
  const lost = new Promise<never>((_, reject) => {
    const check = (): void => {
      if (!isOvertaken(run)) return
      reject(new AgentError('journal_conflict', `Another owner took over the run ${run.id}.`))
    }
    run.subscribe(check)
    check()
  })
  lost.catch(() => {})
  return lost
}
