import type { Host, ResumeOptions, Run, RunState } from '@interleave/core'
import {
  type Command,
  decorateJournal,
  type Feed,
  isConflict,
  liveEventsOf,
  staleOwner,
  toFailure,
} from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { type AnyEvent, isKept } from '@interleave/core/observe'
import { CommandQueue } from '../owner.ts'
import { elapsedMs } from '../wait.ts'
import type { OwnerMessage, TabMessage } from './tabMessage.ts'

export interface TabOwnerOptions {
  readonly id: string
  readonly feed: Feed
  readonly journal: Journal
  readonly host: Host
  readonly takeoverAfterMs: number
  readonly post: (message: OwnerMessage) => void
  /** Called when another owner resumed the run. */
  readonly onConflict: () => void
}

/** Executes the run in this tab: its events go to the feed, and to the other tabs. */
export class TabOwner {
  readonly #options: TabOwnerOptions
  readonly #gate: OwnersJournal
  readonly #commands: CommandQueue
  /** The run, as soon as it exists. */
  #executing: Run | undefined
  /** The run, once its events go to the feed. */
  #run: Run | undefined
  readonly #leaving = new AbortController()
  #busy = 0
  /** True if another tab follows: only then are live events sent. */
  #isFollowed = false
  /** Events that wait until the feed has the log before them; undefined once they do not wait any more. */
  #held: [AnyEvent, RunState][] | undefined = []
  /** Commands that arrived while the run was being resumed. */
  readonly #early: { apply(): void; reject(error: unknown): void }[] = []

  constructor(options: TabOwnerOptions) {
    const { id, feed, journal, host, takeoverAfterMs } = options
    this.#options = options
    this.#commands = new CommandQueue(() => feed.log)
    const onKept = (length: number): void => this.#noteDurable(length)
    this.#gate = ownersJournal(journal, { runId: id, host, takeoverAfterMs, onKept })
  }

  /** True while it is applying a command. */
  get isBusy(): boolean {
    return this.#busy > 0 || this.#early.length > 0
  }

  /** Aborts when this tab stops executing the run. */
  get left(): AbortSignal {
    return this.#leaving.signal
  }

  /** Resolves when the signal of the run is durable. */
  get settled(): Promise<unknown> | undefined {
    return this.#run?.settled
  }

  startRun(start: (options: ResumeOptions) => Run): void {
    this.#releaseEvents()
    this.#run = this.#executing = start(this.#runOptions())
  }

  /** Resumes the run in this tab. `catchUp` brings the feed to a length of the log before any new event. */
  async resumeRun(
    resume: (options: ResumeOptions) => Promise<Run>,
    catchUp: (length: number) => Promise<void>,
  ): Promise<void> {
    this.#executing = await resume(this.#runOptions())
    if (this.left.aborted) this.#stopRun()
    const firstHeld = this.#held?.map(([event]) => event).find(isKept)
    const length = firstHeld?.seq ?? this.#executing.state.seq
    await catchUp(length)
    if (this.left.aborted) throw staleOwner(this.#options.id)
    // The previous owner may not have reported it.
    this.#noteDurable(length)
    this.#releaseEvents()
    this.#run = this.#executing
    for (const { apply } of this.#early.splice(0)) apply()
  }

  /** Applies a command, once. Returns the length of the log then. */
  async applyCommand(command: Command): Promise<number> {
    const run = this.#run
    if (!run) {
      return new Promise((resolve, reject) => {
        this.#early.push({ reject, apply: () => this.applyCommand(command).then(resolve, reject) })
      })
    }
    this.#busy++
    try {
      await this.#commands.applyCommand(run, command)
      return run.state.seq
    } finally {
      this.#busy--
    }
  }

  /** Handles a message of a follower. */
  receiveMessage(message: TabMessage): void {
    this.#isFollowed = true
    const { post, feed } = this.#options
    const { state } = feed
    const { seq } = state
    if (message.type === 'ping') post({ type: 'owner' })
    if (message.type === 'follow') post({ type: 'joined', to: message.from, after: seq, live: liveEventsOf(state) })
    if (message.type === 'command') void this.#answerCommand(message.id, message.command)
  }

  /** Stops executing the run. Nothing is written from now on. */
  leaveRun(): void {
    this.#leaving.abort()
    this.#gate.revoke()
    for (const { reject } of this.#early.splice(0)) reject(staleOwner(this.#options.id))
    this.#stopRun()
  }

  #runOptions(): ResumeOptions {
    return { journal: this.#gate.journal, observers: [(event, state) => this.#observe(event, state)] }
  }

  #observe(event: AnyEvent, state: RunState): void {
    if (this.left.aborted) return
    if (this.#held) this.#held.push([event, state])
    else this.#showEvent(event, state)
  }

  #releaseEvents(): void {
    const held = this.#held ?? []
    this.#held = undefined
    for (const [event, state] of held) if (!this.left.aborted) this.#showEvent(event, state)
  }

  #showEvent(event: AnyEvent, state: RunState): void {
    const { feed, post, onConflict } = this.#options
    if (endsInConflict(event)) {
      onConflict()
      return
    }
    feed.publish(event, state)
    if (this.#isFollowed && !isKept(event)) post({ type: 'live', after: state.seq, event })
  }

  #noteDurable(length: number): void {
    this.#options.post({ type: 'kept', length })
  }

  async #answerCommand(id: string, command: Command): Promise<void> {
    const { post } = this.#options
    try {
      post({ type: 'done', command: id, length: await this.applyCommand(command) })
    } catch (error) {
      // The next owner will get the command again.
      if (!isConflict(error)) post({ type: 'refused', command: id, failure: toFailure(error, 'step_failed') })
    }
  }

  /** Ends tools and model calls. Their events are not written. */
  #stopRun(): void {
    if (this.#executing && !this.#executing.state.signal) void this.#executing.stop()
  }
}

const endsInConflict = (event: AnyEvent): boolean =>
  event.type === 'settled' && event.signal.type === 'failed' && event.signal.error.code === 'journal_conflict'

/** A journal for as long as a tab owns a run. */
interface OwnersJournal {
  readonly journal: Journal
  /** Rejects all further writes, and reads for resuming. */
  revoke(): void
}

interface OwnersJournalOptions {
  readonly runId: string
  readonly host: Pick<Host, 'now'>
  /** Milliseconds after which another tab may have treated this one as frozen. */
  readonly takeoverAfterMs: number
  /** Called with the number of the run's events in the journal. */
  readonly onKept: (length: number) => void
}

/** Confirms ownership after each write: a tab may sleep through a write, and wake up when another one owns the run. */
function ownersJournal(
  journal: Journal,
  { runId, host, takeoverAfterMs, onKept }: OwnersJournalOptions,
): OwnersJournal {
  let isRevoked = false
  /** The epochs that were claimed here since the writers of the runs claimed theirs. */
  const renewed = new Map<string, number>()
  const check = (): void => {
    if (isRevoked) throw staleOwner(runId)
  }
  const renew = async (id: string, length: number): Promise<void> => {
    const epoch = await journal.claim?.(id, length)
    if (epoch !== undefined) renewed.set(id, epoch)
  }
  return {
    revoke() {
      isRevoked = true
    },
    journal: decorateJournal(journal, (inner) => ({
      async append(id, events, options) {
        check()
        const begun = host.now()
        await journal.append(id, events, { ...options, epoch: renewed.get(id) ?? options?.epoch })
        const last = events.at(-1)
        if (!last) return
        if (id === runId) onKept(last.seq + 1)
        if (elapsedMs(begun, host.now()) >= takeoverAfterMs / 4) await renew(id, last.seq + 1)
        check()
      },
      async read(id, from) {
        const events = await journal.read(id, from)
        // A run that was left during its read does not resume.
        check()
        return events
      },
      claim(id, length) {
        check()
        renewed.delete(id)
        return inner.claim(id, length)
      },
    })),
  }
}
