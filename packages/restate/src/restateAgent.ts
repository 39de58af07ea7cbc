import {
  createRemoteAgent,
  idTaken,
  type OutputOf,
  ofOtherAgent,
  type RemoteAgent,
  RemoteRuns,
  type Request,
  type ToolTypesOf,
  type Transport,
} from '@interleave/connect/internal'
import { AgentError, type AgentHandle, type Event, type Host, localHost } from '@interleave/core'
import { assertOption, type Command, checkOptions, plainMessages } from '@interleave/core/internal'
import { isBegunBy } from '@interleave/server/internal'
import { asCommandResult, asDone, asLogView, asSent } from './answers.ts'
import { Followers, type FollowersOptions } from './followers.ts'
import { createIngress, type Ingress, type IngressOptions, type Target, untilDone } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
import { PageOffers } from './pageOffers.ts'
import { journalOn } from './restateJournal.ts'
import { type ServiceNames, serviceNames } from './sdk.ts'
import { type CommandResult, lengthOf, type SentCommand, type StartCommand, type Starting } from './sentCommand.ts'

export interface RestateAgentOptions extends IngressOptions {
  /** The agent's name. */
  agent: string
  /** The name of the `restateHost()`. */
  name?: string
  /** Milliseconds for which requests are repeated if Restate is unreachable; 30,000 by default. */
  retryForMs?: number
  /** The source of live events, such as streamed text: `subscribe` of a `liveHub()`. */
  live?: LiveHub['subscribe']
  host?: Host
}

/**
 * Returns a handle to an agent of a `restateHost()`. Its runs continue when this process ends, or any other.
 *
 * @example
 * import type { guide } from './guide.ts'
 *
 * const run = restateAgent<typeof guide>({ agent: 'guide', ingress: 'http://localhost:8080' }).start('Which museums are open?')
 */
export function restateAgent<A extends AgentHandle = AgentHandle>(
  given: RestateAgentOptions,
): RemoteAgent<OutputOf<A>, ToolTypesOf<A>> {
  checkOptions('restateAgent()', given, ['agent', 'name', 'retryForMs', 'live', 'host', 'ingress', 'headers', 'fetch'])
  const { agent, name = 'interleave', retryForMs = 30_000, live, host = localHost, ...options } = given
  assertOption(
    options.ingress,
    'restateAgent({ ingress }) needs the address of Restate, such as "http://localhost:8080".',
  )
  assertOption(typeof agent === 'string' && agent, 'restateAgent({ agent }) needs the name of an agent of the host.')
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, retryForMs })
  const unlimited = createIngress({ ...options, host, retryForMs: Number.POSITIVE_INFINITY })
  const transport = new RestateTransport({
    ...{ agent, names, host, ingress, unlimited, live },
    onEvent: (run, event) => runs.receiveEvents(run, [event]),
    onFailed: (run, error) => runs.failRun(run, error),
  })
  const slow = { afterMs: 2_000, error: slowRestate() }
  const runs = new RemoteRuns<OutputOf<A>>({ agent, host, transport, slow, toHistory: plainMessages })
  return createRemoteAgent(agent, runs)
}

const slowRestate = (): AgentError =>
  new AgentError('remote_failed', 'Restate has not answered for 2 seconds.', { retryable: true })

interface RestateTransportOptions extends Pick<FollowersOptions, 'live' | 'onEvent' | 'onFailed'> {
  readonly agent: string
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId' | 'timer'>
  readonly ingress: Ingress
  /** Repeats calls without a time limit. */
  readonly unlimited: Ingress
}

/**
 * Milliseconds after which a connection is closed. Most runs settle within this time, and reusing a connection is
 * cheaper than closing it.
 */
const cutMs = 5_000

const never = new AbortController().signal

/** Executes runs on Restate: sends requests to the invocations of their virtual objects, and reads their logs. */
class RestateTransport implements Transport {
  readonly #options: RestateTransportOptions
  readonly #followers: Followers
  readonly #pageOffers: PageOffers

  constructor(options: RestateTransportOptions) {
    const { names, host, ingress, unlimited, live, onEvent, onFailed } = options
    this.#options = options
    this.#pageOffers = new PageOffers({
      ask: (run, asked) => this.#ask(unlimited, run, asked),
      heartbeat: (run, lease) =>
        ingress({ to: { service: names.inbox, key: run, handler: 'heartbeat' }, input: lease, answer: asDone }),
      host,
    })
    this.#followers = new Followers({
      ...{ live, host, onFailed },
      read: (run, from, signal) => journalOn((call) => unlimited({ ...call, signal }), { names, host }).read(run, from),
      onEvent: (run, event) => {
        onEvent(run, event)
        if ('seq' in event) this.#pageOffers.receiveEvent(run, event)
      },
    })
  }

  async sendRequest(request: Request, signal?: AbortSignal): Promise<number> {
    const { run } = request
    switch (request.type) {
      case 'start':
        return this.#start(request, signal)
      case 'attach':
        return this.#attach(run)
      case 'command':
        return this.#command(run, request.command, signal)
      case 'leave':
        this.#pageOffers.leaveRun(run)
        this.#followers.leaveRun(run)
        return 0
      case 'settle':
        // Events are read from the journal.
        return 0
    }
  }

  cancelRequests(): void {}

  /** Starts a run. The response may come only when the run settles, so it counts as started once its log is visible. */
  async #start({ run, input, key, history }: Extract<Request, { type: 'start' }>, withdrawn = never): Promise<number> {
    const { agent, ingress, host } = this.#options
    const named = key !== undefined && { key }
    const command: StartCommand = { type: 'start', agent, input, ...named, ...(history && { history }) }
    const seen = this.#untilSeen(run, command)
    const cut = new AbortController()
    const starting: Starting = { id: host.newId(), command }
    let isAnswered = false
    const answered = untilDone(ingress)({
      ...{ to: this.#log(run, 'start'), input: starting, answer: asCommandResult },
      signal: AbortSignal.any([this.#followers.signalOf(run), cut.signal, withdrawn]),
    }).then((result) => {
      isAnswered = true
      const length = lengthOf(result)
      // Without a length, its agent is not deployed yet.
      return length > 0 ? length : seen
    })
    try {
      const length = await Promise.race([seen, answered])
      if (!isAnswered) host.timer(cutMs, () => isAnswered || cut.abort())
      return length
    } catch (error) {
      this.#followers.leaveRun(run)
      throw error
    }
  }

  /** Resolves when the log of the run has begun with this command, and rejects if it began with another one. */
  #untilSeen(run: string, command: StartCommand): Promise<number> {
    return new Promise((resolve, reject) => {
      const accepts = (beginning: readonly Event[]): boolean => {
        const isOurs = isBegunBy(beginning, command)
        if (isOurs) resolve(beginning.length)
        else reject(idTaken(run))
        return isOurs
      }
      this.#followers.followRun(run, { accepts, isNew: true })
    })
  }

  async #attach(run: string): Promise<number> {
    const { agent, ingress } = this.#options
    const { summary, length, isHeld } = await ingress({ to: this.#log(run, 'look'), input: 0, answer: asLogView })
    if (length === 0) throw new AgentError('run_unknown', `Restate has no run "${run}".`)
    if (summary.agent !== agent) throw ofOtherAgent(run, summary.agent)
    // An imported or forked run starts to execute now. A child run executes within its parent.
    const isIdle = !summary.signal && !isHeld && !summary.parent
    if (isIdle) await ingress({ to: this.#log(run, 'work/send'), answer: asSent })
    this.#followers.followRun(run, { isNew: false })
    return length
  }

  async #command(run: string, command: Command, withdrawn = never): Promise<number> {
    const { host, ingress } = this.#options
    const signal = AbortSignal.any([this.#followers.signalOf(run), withdrawn])
    return lengthOf(await this.#ask((call) => ingress({ ...call, signal }), run, { id: host.newId(), command }))
  }

  async #ask(ingress: Ingress, run: string, input: SentCommand): Promise<CommandResult> {
    const result = await untilDone(ingress)({ to: this.#log(run, 'ask'), input, answer: asCommandResult })
    this.#followers.notifyRun(run)
    return result
  }

  #log(run: string, handler: string): Target {
    return { service: this.#options.names.log, key: run, handler }
  }
}
