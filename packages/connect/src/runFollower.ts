import type { Host, Signal } from '@interleave/core'
import type { Command, ConnectionState } from '@interleave/core/internal'
import { checkNext, failed, initialState, problemInData } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { liveEvent } from '@interleave/core/shapes'
import type { EventBody } from '@interleave/core/steps'
import { closed, MirrorRun } from './remoteRun.ts'

export interface RunFollowerOptions {
  readonly id: string
  readonly host: Pick<Host, 'now' | 'newId'>
  readonly sendCommand: (command: Command, signal?: AbortSignal) => Promise<number>
  /** Resolves when the latest `settled` event is durable. */
  readonly settle: () => Promise<unknown>
  /** For a run that starts: the agent, and the first events of its log if it fails before the host has sent any. */
  readonly begin?: { readonly agent: string; readonly events: readonly EventBody[] }
  /** Begins to follow the run again, after an error has ended that. */
  readonly followAgain: () => Promise<void>
  /** Called once, when the run is closed here. */
  readonly onClose: () => void
}

/** Keeps a `RemoteRun` up to date with the events of its host. */
export class RunFollower<Output> {
  readonly run: MirrorRun<Output>
  isClosed = false
  /** True once the host has opened the run for this page. */
  isOpened = false
  readonly #options: RunFollowerOptions
  /** The attempt to follow a failed run again, which commands wait for. */
  #following: Promise<void> | undefined

  constructor(options: RunFollowerOptions) {
    const { id, host, settle, begin } = options
    this.#options = options
    const run: MirrorRun<Output> = new MirrorRun<Output>({
      ...{ id, host },
      ...(begin && { past: { state: { ...initialState, runId: id, agent: begin.agent }, log: [] } }),
      send: (command, signal) => this.#sendCommand(command, signal),
      // A host that has ended cannot respond.
      kept: () => (run.isOver ? undefined : settle().catch(() => {})),
      onClose: () => this.closeRun(),
    })
    this.run = run
  }

  /** Receives events of the host. Returns true if the run can continue here: invalid events end it. */
  receiveEvents(events: readonly unknown[]): boolean {
    try {
      if (!this.run.isOver) this.run.restart()
      for (const event of events) if (!this.run.isOver) this.#receiveEvent(event)
    } catch (error) {
      this.failRun(error)
    }
    return !this.run.isOver
  }

  /** Sets the connection. Returns true if it changed. */
  setConnection(connection: ConnectionState): boolean {
    if (isSame(connection, this.run.connection)) return false
    this.run.connection = connection
    this.run.feed.publish({ type: 'connection', connection })
    return true
  }

  /** Settles a run that cannot continue here with the error. */
  failRun(error: unknown): void {
    this.#endRun(failed(error, 'worker_failed'))
  }

  closeRun(): void {
    if (this.isClosed) return
    this.isClosed = true
    // Before listeners get the `settled` event: they may open the run again.
    this.#options.onClose()
    this.#endRun({ type: 'stopped', reason: closed().message })
  }

  /** Sends a command. After an error had ended it here, the run is followed again first: the user continues it. */
  async #sendCommand(command: Command, signal?: AbortSignal): Promise<number> {
    if (this.isClosed) throw closed()
    if (!this.run.isOver) return this.#options.sendCommand(command, signal)
    this.#following ??= this.#options.followAgain().finally(() => {
      this.#following = undefined
    })
    await this.#following
    const { seq, signal: last } = this.run.feed.state
    // What failed was only this page's part of it.
    if (command.type === 'resume' && last?.type !== 'failed' && last?.type !== 'stopped') return seq
    const isPlaced = 'after' in command && command.after !== undefined
    return this.#options.sendCommand(isPlaced ? { ...command, after: Math.min(command.after, seq) } : command, signal)
  }

  #receiveEvent(event: unknown): void {
    const { run } = this
    const { feed } = run
    if (typeof event === 'object' && event !== null && 'seq' in event) {
      for (const durable of checkNext([event], feed.state.seq)) feed.publish(durable)
      return
    }
    if (liveEvent(event) !== undefined || problemInData(event) !== undefined) return
    const live = event as LiveEvent
    if (live.type === 'owned') run.owner = live.by
    if (live.type === 'rewound') feed.rewind(live.to)
    else feed.publish(live)
  }

  /** Settles the run: no event follows, and callers would wait forever. */
  #endRun(signal: Signal): void {
    const { run } = this
    if (run.isOver) return
    run.endFollowing()
    const { state } = run.feed
    if (state.signal) return
    if (state.seq === 0) for (const body of this.#options.begin?.events ?? []) run.addEvent(body)
    run.addEvent({ type: 'settled', signal })
    const { updatedAt: at, iteration } = run.feed.state
    run.fault = { state, fault: { seq: state.seq, at, iteration, type: 'settled', signal } }
  }
}

const isSame = (connection: ConnectionState, before: ConnectionState | undefined): boolean =>
  connection.type === 'connected'
    ? before?.type === 'connected' && connection.isPolling === before.isPolling
    : connection.type !== 'waiting' && connection.type === before?.type
