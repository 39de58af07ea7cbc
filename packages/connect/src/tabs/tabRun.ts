import type { Host, ResumeOptions, Run, Signal } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { Channel, Command, Feed, Owner } from '@interleave/core/internal'
import { failed, fromFailure, isConflict, reportLater } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { Calls } from '../calls.ts'
import { closed, MirrorRun } from '../remoteRun.ts'
import { JournalFollower } from './journalFollower.ts'
import type { Origin } from './origin.ts'
import { OwnerLock } from './ownerLock.ts'
import { OwnerWatch } from './ownerWatch.ts'
import { Parking } from './park.ts'
import { patiently } from './patiently.ts'
import { type FollowerMessage, isTabMessage, type OwnerMessage, type TabMessage } from './tabMessage.ts'
import { TabOwner } from './tabOwner.ts'

export interface TabRunOptions {
  readonly id: string
  readonly origin: Origin
  readonly journal: Journal
  readonly host: Host
  /** Milliseconds of silence after which the owner counts as frozen. */
  readonly takeoverAfterMs: number
  readonly resume: (options: ResumeOptions) => Promise<Run>
  readonly past?: Pick<Run, 'state' | 'log'> | undefined
  /** Called once, when the run cannot be used here any more. */
  readonly onClose: () => void
}

/** A run that the tabs of an origin share, in one of them. The tab that has its lock executes it; the others follow. */
export class TabRun<Output = unknown> {
  readonly run: MirrorRun<Output>
  readonly feed: Feed
  readonly options: TabRunOptions
  /** The id of this tab. */
  readonly #me: string
  /** Set while it executes here. */
  executing: TabOwner | undefined
  /** True if the page is in the back/forward cache, and does nothing. */
  isAway = false
  isClosed = false
  /** True if the run is settled, and this tab neither has the lock nor waits for it. */
  isParked = false
  /** True if it could not be resumed here, and has not been since. */
  #hasFailed = false
  /** True once the run is open here, so that no caller waits for that. */
  #isOpened = false
  readonly #commands: Calls<Command, number>
  readonly #follower: JournalFollower
  readonly #channel: Channel
  readonly #lock: OwnerLock
  readonly #watch: OwnerWatch
  readonly #parking: Parking
  /** The id of the other tab that owns it. */
  #ownersId: string | undefined
  /** The number of times that it lost the run to another owner without having written anything. */
  #losses = 0
  /** Resolves when the attempt to become the owner has ended. */
  #taken: Promise<void> | undefined

  constructor(options: TabRunOptions) {
    const { id, origin, journal, host, takeoverAfterMs, past } = options
    this.options = options
    this.#me = host.newId()
    this.run = new MirrorRun<Output>({
      ...{ id, host, past },
      send: (command, signal) => this.#sendCommand(command, signal),
      kept: () => this.executing?.settled,
      onClose: () => this.closeRun(),
    })
    this.run.owner = 'nobody'
    const { feed } = this.run
    this.feed = feed
    this.#commands = new Calls(
      () => host.newId(),
      (commandId, command) => this.#post({ type: 'command', id: commandId, command }),
    )
    this.#follower = new JournalFollower({ id, feed, journal, host, onError: (error) => this.#showFailure(error) })
    this.#channel = origin.channel(`interleave:${id}`, {
      onMessage: (data) => isTabMessage(data) && this.#receiveMessage(data),
      onAway: () => this.#goAway(),
      onBack: () => this.#comeBack(),
    })
    this.#watch = new OwnerWatch({
      ...{ host, takeoverAfterMs },
      ping: () => this.#post({ type: 'ping' }),
      onSilence: () => this.#takeFromSilentOwner(),
    })
    this.#parking = new Parking(this)
    this.#lock = new OwnerLock({
      ...{ locks: origin.locks, name: `interleave:${id}` },
      onHeld: () => {
        this.#taken = this.#becomeOwner().then(() => this.#parking.update())
      },
      onLost: () => void this.#giveUp(this.executing),
      onDenied: (error) => this.#fail(error),
    })
  }

  get owner(): Owner {
    return this.run.owner ?? 'nobody'
  }

  startRun(start: (options: ResumeOptions) => Run): void {
    this.#isOpened = true
    this.#setOwner('here')
    this.executing = this.#createOwner()
    this.executing.startRun(start)
    this.#lock.queue()
  }

  /** Takes the run if no tab has it, and follows its owner otherwise. */
  async openRun(): Promise<void> {
    if (await this.#lock.tryNow()) await this.#taken
    else {
      this.#setOwner('elsewhere')
      this.followOwner()
    }
    this.#isOpened = true
  }

  /** Follows the owner, and waits to be the next one. */
  followOwner(): void {
    if (this.isClosed || this.isAway) return
    this.isParked = false
    this.#ownersId = undefined
    this.#lock.queue()
    this.#follower.forgetOwner()
    this.#watch.start()
    this.#post({ type: 'ping' })
  }

  /** Releases the run, since it needs no owner now. */
  parkRun(): void {
    this.#stopExecuting()
    this.isParked = true
    this.#ownersId = undefined
    this.#setOwner('nobody')
    this.#lock.release()
  }

  closeRun(): void {
    if (this.isClosed) return
    this.isClosed = true
    this.#stopExecuting()
    this.#setOwner('nobody')
    // After a current read, which continues with the log as it is. Without a signal, callers would wait forever.
    void this.#follower.stopReading().then(() => {
      if (!this.feed.state.signal) this.#settleHere({ type: 'stopped', reason: closed().message })
    })
    this.#watch.stop()
    this.#commands.rejectCalls(closed)
    this.run.endFollowing()
    this.#lock.release()
    this.#channel.close()
    this.#parking.stop()
    this.options.onClose()
  }

  #post(message: OwnerMessage | FollowerMessage): void {
    this.#channel.post({ ...message, from: this.#me })
  }

  #receiveMessage(message: TabMessage): void {
    if (message.type === 'follow' || message.type === 'ping' || message.type === 'command') {
      // An answer would keep the run here until the user returns, and a write would block the journal of all tabs.
      if (message.type === 'follow' || !this.#channel.isFrozen) this.executing?.receiveMessage(message)
      return
    }
    // An owner that was frozen may still treat itself as the owner.
    if (this.owner === 'here') return
    this.#watch.noteLife()
    if (message.from !== this.#ownersId) {
      this.#ownersId = message.from
      // A tab that opens a settled run owns it for a moment, and does nothing with it.
      if (!this.isParked) this.#setOwner('elsewhere')
      this.#follower.forgetOwner()
      this.#post({ type: 'follow' })
    }
    // A known owner, too, may have lost the run and got it back.
    if (message.type === 'owner') this.#commands.resendCalls()
    this.#follower.receiveMessage(message, this.#me)
    if (message.type === 'done') this.#commands.resolveCall(message.command, message.length)
    if (message.type === 'refused') this.#commands.rejectCall(message.command, fromFailure(message.failure))
  }

  /** Applies a command wherever the run executes. Returns the length of the log then. */
  async #sendCommand(command: Command, signal?: AbortSignal): Promise<number> {
    if (this.isClosed) throw closed()
    signal?.throwIfAborted()
    // It is settled, or could not be resumed. If no tab has it, this one takes it again.
    if (this.isParked) this.followOwner()
    const { executing } = this
    if (!executing) return this.#commands.sendCall(command, { signal }).answer
    try {
      return await executing.applyCommand(command)
    } catch (error) {
      if (!isConflict(error)) throw error
      await this.#giveUp(executing)
      return this.#sendCommand(command, signal)
    }
  }

  #createOwner(): TabOwner {
    const { id, journal, host, takeoverAfterMs } = this.options
    const owner: TabOwner = new TabOwner({
      ...{ id, feed: this.feed, journal, host, takeoverAfterMs },
      post: (message) => {
        if (message.type === 'kept') this.#losses = 0
        this.#post(message)
      },
      onConflict: () => void this.#giveUp(owner),
    })
    return owner
  }

  async #becomeOwner(): Promise<void> {
    this.#watch.stop()
    this.#ownersId = undefined
    this.isParked = false
    this.#setOwner('here')
    if (this.isClosed) return
    this.#post({ type: 'owner' })
    if (!this.executing) await this.#resumeHere()
  }

  /**
   * Resumes the run here. If it cannot, the run shows that, and has no owner until a command tries again: an owner that
   * does not execute it would seem to be frozen.
   */
  async #resumeHere(): Promise<void> {
    const { resume, host } = this.options
    const owner = this.#createOwner()
    this.executing = owner
    const resumePatiently: typeof resume = (given) => patiently(() => resume(given), { host, signal: owner.left })
    // Whoever opens it, or has seen that it failed, can try again.
    const isAsked = !this.#isOpened || this.#hasFailed
    try {
      await owner.resumeRun(isAsked ? resume : resumePatiently, (length) => this.#follower.catchUp(length))
      this.#hasFailed = false
      this.#commands.answerCallsHere((command) => this.#sendCommand(command))
    } catch (error) {
      // It was left meanwhile, and has another owner.
      if (this.executing !== owner) return
      this.#hasFailed = true
      this.#showFailure(error)
      this.parkRun()
    }
  }

  /**
   * Gives the run up to another owner, which resumed it or is about to. Events that are not in the journal are
   * discarded.
   */
  async #giveUp(owner: TabOwner | undefined): Promise<void> {
    if (this.owner !== 'here' || this.executing !== owner) return
    this.#stopExecuting()
    this.#setOwner('nobody')
    this.#lock.release()
    try {
      if (!(await this.#follower.replaceLog())) return this.#fail(otherRun(this.options.id))
      if (++this.#losses > 9) return this.#fail(contested(this.options.id))
    } catch (error) {
      this.#showFailure(error)
    }
    this.followOwner()
  }

  /** Takes the run from an owner that does not respond. Only one of the waiting tabs does so. */
  #takeFromSilentOwner(): void {
    const { id, origin, host, takeoverAfterMs } = this.options
    const steal = async (successor: unknown): Promise<void> => {
      if (!successor || !this.#watch.isSilent()) return
      this.#lock.steal()
      // Until the other tabs have received it.
      await new Promise<void>((resolve) => void host.timer(takeoverAfterMs / 4, resolve))
    }
    origin.locks.request(`interleave:${id}:heir`, { ifAvailable: true }, steal).catch(reportLater)
  }

  /**
   * Releases the run when the page is left. In the back/forward cache the page would own it, and do nothing with it.
   */
  #goAway(): void {
    this.isAway = true
    this.#stopExecuting()
    // Events that are not durable by now never will be.
    if (this.owner === 'here') this.#follower.markDiverged()
    this.#setOwner('nobody')
    this.#watch.stop()
    this.#lock.release()
  }

  #comeBack(): void {
    this.isAway = false
    this.followOwner()
  }

  #stopExecuting(): void {
    this.executing?.leaveRun()
    this.executing = undefined
  }

  #setOwner(by: Owner): void {
    if (this.owner === by) return
    this.run.owner = by
    this.feed.publish({ type: 'owned', by })
  }

  /** Ends a run that cannot be used in this tab. */
  #fail(error: AgentError): void {
    this.#showFailure(error)
    this.closeRun()
  }

  /** Settles the run with a failure to read or write, until a command tries again. */
  #showFailure(error: unknown): void {
    this.#settleHere(failed(error, 'journal_failed'))
    // No caller waits for `resume()`.
    for (const [id, { type }] of this.#commands.openCalls) {
      if (type === 'resume') this.#commands.resolveCall(id, this.feed.state.seq)
    }
    this.#commands.rejectCalls(() => error)
  }

  /** Settles the run in this tab alone: the event is in no journal. */
  #settleHere(signal: Signal): void {
    this.#follower.markDiverged()
    this.run.addEvent({ type: 'settled', signal })
  }
}

const otherRun = (id: string): AgentError =>
  new AgentError('journal_conflict', `The journal has another run "${id}". Start with another id, or without one.`)
const contested = (id: string): AgentError =>
  new AgentError(
    'journal_conflict',
    `Another owner outside of acrossTabs() takes over the run "${id}" repeatedly. Open it everywhere with acrossTabs().`,
  )
