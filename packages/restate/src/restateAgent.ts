import {
  createRemoteAgent,
  type OutputOf,
  type RemoteAgent,
  RemoteRuns,
  type Request,
} from '@interleave/connect/internal'
import { AgentError, type AgentHandle, type Host, localHost } from '@interleave/core'
import { assertOption, type Command } from '@interleave/core/internal'
import { asDone, asSent, asShown, asTold } from './answers.ts'
import { type Asked, lengthOf, type StartCommand } from './asked.ts'
import { createFollowers } from './createFollowers.ts'
import { createIngress, type IngressOptions } from './ingress.ts'
import { lendPages } from './lendPages.ts'
import type { LiveHub } from './liveHub.ts'
import { journalOn } from './restateJournal.ts'
import { serviceNames } from './sdk.ts'
import { startRun, untilDone } from './startRun.ts'

export interface RestateAgentOptions extends IngressOptions {
  /** The agent's name. */
  agent: string
  /** As of `restateHost()`. */
  name?: string
  /** Milliseconds for which Restate is asked again where it cannot be reached; 30,000 by default. */
  retryForMs?: number
  /** The source of live events, such as streamed text: `listen` of a `liveHub()`. */
  live?: LiveHub['listen']
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
export function restateAgent<A extends AgentHandle = AgentHandle>({
  agent,
  name = 'interleave',
  retryForMs = 30_000,
  live,
  host = localHost,
  ...options
}: RestateAgentOptions): RemoteAgent<OutputOf<A>> {
  assertOption(
    options.ingress,
    'restateAgent({ ingress }) needs the address of Restate, such as "http://localhost:8080".',
  )
  assertOption(typeof agent === 'string' && agent, 'restateAgent({ agent }) needs the name of an agent of the host.')
  const names = serviceNames(name)
  const log = (run: string, handler: string) => ({ service: names.log, key: run, handler })
  const ingress = createIngress({ ...options, host, retryForMs })
  const patient = createIngress({ ...options, host, retryForMs: Number.POSITIVE_INFINITY })
  const followers = createFollowers({
    read: (run, from, signal) => journalOn((call) => patient({ ...call, signal }), { names, host }).read(run, from),
    ...{ live, host },
    tell(run, events) {
      runs.receiveEvents(run, events)
      lending.hear(run, events)
    },
    fail: (run, error) => runs.failRun(run, error),
  })
  const lending = lendPages({
    async ask(run, asked) {
      const told = await untilDone(patient)({ ...log(run, 'ask'), input: asked, answer: asTold })
      followers.ring(run)
      return told
    },
    beat: (run, lent) => ingress({ service: names.inbox, key: run, handler: 'beat', input: lent, answer: asDone }),
    host,
  })
  const ask = async (run: string, command: Command): Promise<number> => {
    const input: Asked = { id: host.newId(), command }
    const signal = followers.signalOf(run)
    const told = await untilDone(ingress)({ ...log(run, 'ask'), input, answer: asTold, signal })
    followers.ring(run)
    return lengthOf(told)
  }
  const attach = async (run: string): Promise<number> => {
    const { summary, length, isHeld } = await ingress({ ...log(run, 'look'), input: 0, answer: asShown })
    if (length === 0) throw new AgentError('run_unknown', `Restate has no run "${run}".`)
    if (summary.agent !== agent)
      throw new AgentError(
        'agent_mismatch',
        `The run "${run}" is of the agent "${summary.agent}". Resume it with that one.`,
      )
    // One that came here as a log, by an import or a fork, works from now on. One below another works within that.
    if (!summary.rest && !isHeld && !summary.parent) await ingress({ ...log(run, 'work/send'), answer: asSent })
    followers.follow(run, { isNew: false })
    return length
  }
  const start = ({ run, input, key, history }: Extract<Request, { type: 'start' }>): Promise<number> => {
    const named = key !== undefined && { key }
    const command: StartCommand = { type: 'start', agent, input, ...named, ...(history && { history }) }
    return startRun(run, { command, ingress, names, host, followers })
  }
  const sendRequest = async (request: Request): Promise<number> => {
    const { run } = request
    switch (request.type) {
      case 'start':
        return start(request)
      case 'attach':
        return attach(run)
      case 'command':
        return ask(run, request.command)
      case 'leave':
        lending.leave(run)
        followers.leave(run)
        return 0
      case 'settle':
        // What is told of is in the journal.
        return 0
    }
  }
  const runs = new RemoteRuns<OutputOf<A>>({ agent, host, transport: { sendRequest, cancelRequests() {} } })
  return createRemoteAgent(agent, runs)
}
