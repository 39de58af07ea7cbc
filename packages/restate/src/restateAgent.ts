import { AgentError, type AgentHandle, type Host, localHost } from '@interleave/core'
import {
  type Command,
  createPageRuns,
  demand,
  fromFailure,
  type HostedRun,
  type LiveEvent,
  type NewRequest,
  observeOnce,
} from '@interleave/core/place'
import { createInbox } from './createInbox.ts'
import { followLog } from './followLog.ts'
import type { Asked } from './inboxObject.ts'
import { createIngress, type IngressOptions } from './ingress.ts'
import type { Shown } from './logObject.ts'
import { journalOn } from './restateJournal.ts'
import { serviceNames } from './serviceNames.ts'

export interface RestateAgentOptions extends IngressOptions {
  /** The agent's name. */
  agent: string
  /** As of `restateHost()`. */
  name?: string
  /** Milliseconds for which Restate is asked again where it cannot be reached; 30,000 by default. */
  patience?: number
  host?: Host
}

/** What an agent answers with. */
type OutputOf<A> = A extends AgentHandle<infer Output> ? Output : never

/** An agent whose runs work on Restate. */
export interface RestateAgent<Output = unknown> extends AgentHandle<Output> {
  start(...given: Parameters<AgentHandle['start']>): HostedRun<Output>
  resume(...given: Parameters<AgentHandle['resume']>): Promise<HostedRun<Output>>
  /** Shows what `restateHost({ onLive })` heard, in the runs that are open here. */
  hear(runId: string, events: readonly LiveEvent[]): void
}

/**
 * An agent of a `restateHost()`, to be used as if it were here. Its runs go on when this process goes, and when any other one does.
 *
 * @example
 * import type { guide } from './guide.ts'
 *
 * const run = restateAgent<typeof guide>({ agent: 'guide', ingress: 'http://localhost:8080' }).start('Which museums are open?')
 */
export function restateAgent<A extends AgentHandle = AgentHandle>({
  agent,
  name = 'interleave',
  patience = 30_000,
  host = localHost,
  ...options
}: RestateAgentOptions): RestateAgent<OutputOf<A>> {
  demand(options.ingress, 'restateAgent({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  demand(typeof agent === 'string' && agent, 'restateAgent({ agent }) needs the name of an agent of the host.')
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, patience })
  const journal = journalOn(ingress, { names, host })
  const patient = createIngress({ ...options, host, patience: Number.POSITIVE_INFINITY })
  /** What is followed, and what is asked and not answered yet. */
  const following = new Map<string, AbortController>()

  const signalOf = (run: string): AbortSignal => {
    const controller = following.get(run) ?? new AbortController()
    if (!following.has(run)) {
      following.set(run, controller)
      const told = followLog(run, {
        ingress: patient,
        journal,
        names,
        signal: controller.signal,
        tell: (events) => runs.tell(run, events),
      })
      told.catch((error: unknown) => controller.signal.aborted || runs.fail(run, error))
    }
    return controller.signal
  }
  const ask = async (run: string, command: Asked['command'], id = host.newId()): Promise<number> => {
    const signal = signalOf(run)
    const told = await createInbox(ingress, { names, runId: run }).ask({ id, command }, signal)
    if ('failure' in told) throw fromFailure(told.failure)
    return told.length
  }
  const attach = async (run: string): Promise<number> => {
    const { summary, length } = (await ingress({ service: names.log, key: run, handler: 'look', input: 0 })) as Shown
    if (length === 0) throw new AgentError('run_unknown', `Restate has no run "${run}".`)
    if (summary.agent !== agent)
      throw new AgentError(
        'agent_mismatch',
        `The run "${run}" is of the agent "${summary.agent}". Resume it with that one.`,
      )
    // One that came here as a log, by an import or a fork, works from now on.
    if (!summary.rest) await ingress({ service: names.work, key: run, handler: 'work/send' })
    signalOf(run)
    return length
  }
  const start = ({ run, input, key, history }: Extract<NewRequest, { type: 'start' }>): Promise<number> =>
    ask(
      run,
      { type: 'start', agent, input, ...(key !== undefined && { key }), ...(history && { history }) },
      `start ${run}`,
    )
  const send = async (request: NewRequest): Promise<number> => {
    const { run } = request
    switch (request.type) {
      case 'start':
        return start(request)
      case 'attach':
        return attach(run)
      case 'command':
        return ask(run, request.command satisfies Command)
      case 'leave':
        following.get(run)?.abort()
        following.delete(run)
        return 0
      case 'settle':
        // What is told of is in the journal.
        return 0
    }
  }
  const runs = createPageRuns<OutputOf<A>>({ agent, host, requests: { send, rejectOf: () => {} } })
  return {
    name: agent,
    start: (input, given = {}) => runs.start(input, given),
    async resume(id, { observers = [] } = {}) {
      const run = await runs.open(id)
      observeOnce(run, observers)
      return run
    },
    hear: (runId, events) => runs.tell(runId, events),
  }
}
