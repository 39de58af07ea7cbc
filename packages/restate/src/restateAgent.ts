import { AgentError, type AgentHandle, type Host, localHost } from '@interleave/core'
import {
  type Command,
  createPageRuns,
  demand,
  fromFailure,
  type HostedRun,
  type NewRequest,
  observeOnce,
} from '@interleave/core/place'
import { createEar } from './createEar.ts'
import { createInbox } from './createInbox.ts'
import { followLog } from './followLog.ts'
import type { Asked } from './inboxObject.ts'
import { createIngress, type IngressOptions } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
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
  /** Where what is not kept is heard, such as the words of a turn as they come: `listen` of a `liveHub()`. */
  live?: LiveHub['listen']
  host?: Host
}

/** What an agent answers with. */
type OutputOf<A> = A extends AgentHandle<infer Output> ? Output : never

/** An agent whose runs work on Restate. */
export interface RestateAgent<Output = unknown> extends AgentHandle<Output> {
  start(...given: Parameters<AgentHandle['start']>): HostedRun<Output>
  resume(...given: Parameters<AgentHandle['resume']>): Promise<HostedRun<Output>>
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
  live,
  host = localHost,
  ...options
}: RestateAgentOptions): RestateAgent<OutputOf<A>> {
  demand(options.ingress, 'restateAgent({ ingress }) needs the address of Restate, such as "http://localhost:8080".')
  demand(typeof agent === 'string' && agent, 'restateAgent({ agent }) needs the name of an agent of the host.')
  const names = serviceNames(name)
  const ingress = createIngress({ ...options, host, patience })
  const journal = journalOn(ingress, { names, host })
  const patient = createIngress({ ...options, host, patience: Number.POSITIVE_INFINITY })
  /** The runs that are open here. */
  const opened = new Map<string, AbortController>()
  const followed = new WeakSet<AbortController>()

  const signalOf = (run: string): AbortSignal => openedOf(run).signal
  const openedOf = (run: string): AbortController => {
    const controller = opened.get(run) ?? new AbortController()
    opened.set(run, controller)
    return controller
  }
  const follow = (run: string): void => {
    const controller = openedOf(run)
    const { signal } = controller
    if (followed.has(controller) || signal.aborted) return
    followed.add(controller)
    const ear = createEar((events) => runs.tell(run, events))
    const leave = live?.(run, ear.hear)
    followLog(run, { ingress: patient, journal, names, host, signal, tell: ear.kept })
      .catch((error: unknown) => signal.aborted || runs.fail(run, error))
      .finally(leave)
  }
  const ask = async (run: string, command: Asked['command']): Promise<number> => {
    const asked = { id: host.newId(), command }
    const told = await createInbox(ingress, { names, runId: run }).ask(asked, signalOf(run))
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
    follow(run)
    return length
  }
  const start = async ({ run, input, key, history }: Extract<NewRequest, { type: 'start' }>): Promise<number> => {
    const named = key !== undefined && { key }
    const length = await ask(run, { type: 'start', agent, input, ...named, ...(history && { history }) })
    // Not before: another run may have this id.
    follow(run)
    return length
  }
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
        opened.get(run)?.abort()
        opened.delete(run)
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
  }
}
