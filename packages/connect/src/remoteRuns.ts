import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { AgentError, Host, ToolSet, UserContent } from '@interleave/core'
import { isAgentError } from '@interleave/core'
import {
  assertOption,
  type Command,
  type ConnectionState,
  checkRunId,
  DEV,
  type HandleOptions,
  isBlank,
  plainContent,
  toFailure,
} from '@interleave/core/internal'
import type { LogPosition } from './owner.ts'
import { OpenItems } from './registry.ts'
import { closed, observeOnce, type RemoteAgent, type RemoteRun } from './remoteRun.ts'
import { RunFollower, type RunFollowerOptions } from './runFollower.ts'

export interface RemoteRunsOptions {
  /** The agent's name. */
  readonly agent: string
  readonly host: Pick<Host, 'now' | 'newId' | 'timer'>
  readonly transport: Transport
  /** Validates a history, for a transport that accepts one: `plainMessages`. */
  readonly toHistory?: (history: History) => History
  /** Reports a host that has not answered a message in time, for a transport without a connection of its own. */
  readonly slow?: { readonly afterMs: number; readonly error: AgentError }
}

type History = NonNullable<HandleOptions['history']>

/** The runs of one agent that this page has open. They execute at the other end of the transport. */
export class RemoteRuns<Output> {
  readonly #options: RemoteRunsOptions
  readonly #runs = new OpenItems<RunFollower<Output>>()
  /** The functions that start the runs whose hosts have not confirmed their start. */
  readonly #unstarted = new WeakMap<RunFollower<Output>, () => Promise<void>>()

  constructor(options: RemoteRunsOptions) {
    this.#options = options
  }

  startRun(given: UserContent, options: HandleOptions): RemoteRun<Output> {
    const { agent, host, toHistory = (given) => given } = this.#options
    const { id = host.newId(), key, history = [], observers = [] } = options
    assertOption(!isBlank(given), DEV && 'An agent needs something to start with: a text that is not empty.')
    checkRunId(id)
    const isFree = !this.#runs.findItem(id) && !this.#runs.isLeaving(id)
    assertOption(isFree, DEV && `This page has a run "${id}" already. Start with another id.`)
    const input = plainContent(given)
    const messages = toHistory(history)
    const named = key !== undefined && { key }
    const follower = this.#follow(id, {
      agent,
      events: [
        { type: 'started', runId: id, agent, version: '' },
        { type: 'said', by: 'user', content: input, ...named },
      ],
    })
    observeOnce(follower.run, observers)
    // A transport without histories rejects one of any form.
    const past = messages?.length !== 0 && { history: messages }
    const request = { type: 'start', run: id, input, ...named, ...past } as const
    const send = async (signal: AbortSignal): Promise<void> => {
      const length = await this.#send(request, signal)
      follower.isOpened = true
      await follower.run.reachLength(length)
    }
    const start = (): Promise<void> =>
      follower.run.startWith(input, key ?? host.newId(), send).then(
        () => void this.#unstarted.delete(follower),
        (error: unknown) => {
          this.#endFollower(id, follower, error)
          throw error
        },
      )
    this.#unstarted.set(follower, start)
    // The run shows the error.
    start().catch(() => {})
    return follower.run
  }

  /** Opens a run that is alive at the host, or in its journal. Returns the same object until it is closed. */
  async openRun(id: string): Promise<RemoteRun<Output>> {
    checkRunId(id)
    // Earlier events belong to the run that was closed.
    await this.#runs.untilLeft(id)
    const known = this.#runs.findItem(id)
    const follower = known ?? this.#follow(id)
    try {
      const length = await this.#options.transport.sendRequest({ type: 'attach', run: id })
      follower.isOpened = true
      await follower.run.reachLength(length)
    } catch (error) {
      if (!known) this.#runs.removeItem(id, follower)
      if (!follower.isClosed) throw error
    }
    return follower.isClosed ? this.openRun(id) : follower.run
  }

  receiveEvents(id: string, events: readonly unknown[]): void {
    const follower = this.#runs.findItem(id)
    if (!follower || follower.receiveEvents(events)) return
    // It cannot be used here any more. When it is opened again, its log is sent again.
    this.#runs.removeItem(id, follower)
    this.#leaveRun(id)
  }

  /** Sets the connection of a run. Returns true if it changed. */
  setConnection(id: string, connection: ConnectionState): boolean {
    return this.#runs.findItem(id)?.setConnection(connection) ?? true
  }

  /** Returns the part of the log that this page has; undefined if it has none. */
  positionOf(id: string): LogPosition | undefined {
    const run = this.#runs.findItem(id)?.run
    const last = run?.isStale ? undefined : run?.log.at(-1)
    return last && { length: last.seq + 1, at: last.at }
  }

  /** True if a run works, or waits for an answer: it needs its host. */
  get needsHost(): boolean {
    return this.#runs.items.some(({ run: { state } }) => !state.signal || state.signal.type === 'inputNeeded')
  }

  /** Shows that the host of all runs is not there. */
  setConnecting(): void {
    for (const { run } of this.#runs.items) this.setConnection(run.id, { type: 'connecting' })
  }

  /** Opens all runs again at a host that knows nothing of this page. `lost` is the error of a run that it does not have. */
  reopenRuns(lost: AgentError): void {
    for (const follower of this.#runs.items) if (follower.isOpened) void this.#reopen(follower, lost)
  }

  async #reopen({ run }: RunFollower<Output>, lost: AgentError): Promise<void> {
    const { id } = run
    try {
      await this.#options.transport.sendRequest({ type: 'attach', run: id })
      if (run.connection) this.setConnection(id, { type: 'connected' })
    } catch (error) {
      this.failRun(id, isAgentError(error) && error.code === 'run_unknown' ? lost : error)
    }
  }

  /** Ends a run of which no events follow. */
  failRun(id: string, error: unknown): void {
    const follower = this.#runs.findItem(id)
    if (follower) this.#endFollower(id, follower, error)
  }

  /** Ends all runs, because the host has ended. */
  failRuns(error: unknown): void {
    for (const { run } of this.#runs.items) this.failRun(run.id, error)
  }

  #endFollower(id: string, follower: RunFollower<Output>, error: unknown): void {
    this.#runs.removeItem(id, follower)
    follower.failRun(error)
  }

  /** Follows a run again that has failed here, or starts it if that is what failed. All its events arrive again. */
  async #followAgain(id: string, follower: RunFollower<Output>): Promise<void> {
    await this.#runs.untilLeft(id)
    const other = this.#runs.findItem(id)
    if (other && other !== follower) throw closed()
    this.#runs.addItem(id, follower)
    follower.run.followAgain()
    const start = this.#unstarted.get(follower)
    if (start) return start()
    try {
      const length = await this.#options.transport.sendRequest({ type: 'attach', run: id })
      follower.isOpened = true
      await follower.run.reachLength(length)
    } catch (error) {
      this.#endFollower(id, follower, error)
      throw error
    }
  }

  /** Sends a message. The connection shows if the host does not answer in time. */
  async #send(request: Request, signal?: AbortSignal): Promise<number> {
    const { host, transport, slow } = this.#options
    const { run } = request
    let isSlow = false
    const cancel = slow
      ? host.timer(slow.afterMs, () => {
          isSlow = true
          this.setConnection(run, { type: 'waiting', until: host.now(), error: toFailure(slow.error, 'remote_failed') })
        })
      : () => {}
    try {
      return await transport.sendRequest(request, signal)
    } finally {
      cancel()
      if (isSlow) this.setConnection(run, { type: 'connected' })
    }
  }

  #follow(id: string, begin?: RunFollowerOptions['begin']): RunFollower<Output> {
    const { host, transport } = this.#options
    const follower: RunFollower<Output> = new RunFollower<Output>({
      id,
      host,
      ...(begin && { begin }),
      sendCommand: (command, signal) => {
        const request = { type: 'command', run: id, command } as const
        return command.type === 'say' ? this.#send(request, signal) : transport.sendRequest(request)
      },
      settle: () => transport.sendRequest({ type: 'settle', run: id }),
      followAgain: () => this.#followAgain(id, follower),
      onClose: () => {
        if (!this.#runs.removeItem(id, follower)) return
        transport.cancelRequests(id, closed())
        this.#leaveRun(id)
      },
    })
    this.#runs.addItem(id, follower)
    return follower
  }

  #leaveRun(id: string): void {
    this.#runs.waitForLeave(id, this.#options.transport.sendRequest({ type: 'leave', run: id }))
  }
}

/** Creates the handle of an agent with these runs. */
export function createRemoteAgent<Output, Tools extends ToolSet>(
  name: string,
  runs: RemoteRuns<Output>,
): RemoteAgent<Output, Tools> {
  const handle: RemoteAgent<Output> = {
    name,
    start: (input, options = {}) => runs.startRun(input, options),
    async resume(id, { observers = [] } = {}) {
      const run = await runs.openRun(id)
      observeOnce(run, observers)
      return run
    },
  }
  // The types of the tools are for inference only.
  return handle as RemoteAgent<Output, Tools>
}

/** The connection to the host of the runs: a message port, HTTP with a stream of events, or a service. */
export interface Transport {
  /** Resolves when the host has done it, with the length of the log then. The signal aborts if a message is withdrawn. */
  sendRequest(request: Request, signal?: AbortSignal): Promise<number>
  /** Cancels the requests of a run that was closed here. */
  cancelRequests(runId: string, error: Error): void
}

export type Request =
  | {
      readonly type: 'start'
      readonly run: string
      readonly input: UserContent
      readonly key?: string
      readonly history?: readonly LanguageModelV4Message[]
    }
  /** Follows a run. The host resumes it if it is not alive. */
  | { readonly type: 'attach'; readonly run: string }
  | { readonly type: 'command'; readonly run: string; readonly command: Command }
  /** Ends following a run, which continues. */
  | { readonly type: 'leave'; readonly run: string }
  /** Resolves when the latest `settled` event is durable. */
  | { readonly type: 'settle'; readonly run: string }

export const newRunId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
