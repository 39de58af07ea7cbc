import { AgentError, type AgentHandle, type Event, type Host, localHost } from '@interleave/core'
import {
  type Command,
  createPageRuns,
  demand,
  fromFailure,
  type HostedRun,
  type NewRequest,
  observeOnce,
} from '@interleave/core/place'
import type { Asked, StartCommand, Told } from './asked.ts'
import { createEar, type EarOptions } from './createEar.ts'
import { createNews, type News } from './createNews.ts'
import { followLog } from './followLog.ts'
import { createIngress, type IngressOptions } from './ingress.ts'
import type { LiveHub } from './liveHub.ts'
import type { Shown } from './logObject.ts'
import { isBegunBy, taken } from './openRun.ts'
import { journalOn } from './restateJournal.ts'
import { serviceNames } from './serviceNames.ts'
import type { Starting } from './workingHandlers.ts'

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
  const patient = createIngress({ ...options, host, patience: Number.POSITIVE_INFINITY })
  const patientJournal = journalOn(patient, { names, host })
  /** The runs that are open here. */
  const opened = new Map<string, Opened>()

  const openedOf = (run: string): Opened => {
    const known = opened.get(run) ?? { controller: new AbortController(), news: createNews(), isFollowed: false }
    opened.set(run, known)
    return known
  }
  const leave = (run: string): void => {
    opened.get(run)?.controller.abort()
    opened.delete(run)
  }
  const follow = (run: string, { afterMs, ...rest }: Following): void => {
    const { controller, news, isFollowed } = openedOf(run)
    const { signal } = controller
    if (isFollowed || signal.aborted) return
    openedOf(run).isFollowed = true
    const ear = createEar({ ...rest, tell: (events) => runs.tell(run, events) })
    const unhear = live?.(run, (told) => void (ear.hear(told) || news.ring()))
    followLog(run, { journal: patientJournal, host, signal, ear, news, afterMs })
      .catch((error: unknown) => signal.aborted || runs.fail(run, error))
      .finally(unhear)
  }
  const ask = async (run: string, command: Asked['command']): Promise<number> => {
    const asked = { id: host.newId(), command }
    const { controller, news } = openedOf(run)
    const call = { service: names.log, key: run, handler: 'ask', input: asked, signal: controller.signal }
    const told = (await ingress(call)) as Told
    news.ring()
    return lengthOf(told)
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
    if (!summary.rest) await ingress({ service: names.log, key: run, handler: 'work/send' })
    follow(run, { afterMs: 0 })
    return length
  }
  const start = async ({ run, input, key, history }: Extract<NewRequest, { type: 'start' }>): Promise<number> => {
    const named = key !== undefined && { key }
    const command: StartCommand = { type: 'start', agent, input, ...named, ...(history && { history }) }
    const begun = new AbortController()
    const seen = new Promise<number>((resolve, reject) => {
      const isRight = (beginning: readonly Event[]): boolean => {
        if (beginning.length === 0) return true
        if (isBegunBy(command, beginning)) resolve(beginning.length)
        else reject(taken(run))
        return isBegunBy(command, beginning)
      }
      // What answers to the start may do so only when the run rests.
      follow(run, { isRight, afterMs: firstLookMs })
    })
    const { signal } = openedOf(run).controller
    const starting: Starting = { id: host.newId(), command }
    const answered = ingress({
      ...{ service: names.log, key: run, handler: 'start', input: starting },
      signal: AbortSignal.any([signal, begun.signal]),
    }).then((told) => {
      // Of no length: its agent is not here yet.
      const length = lengthOf(told as Told)
      return length > 0 ? length : seen
    })
    try {
      return await Promise.race([seen, answered])
    } catch (error) {
      leave(run)
      throw error
    } finally {
      // Most runs rest soon, and a connection that is kept is worth more than one that is cut.
      host.timer(cutMs, () => begun.abort())
    }
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
        leave(run)
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

interface Opened {
  readonly controller: AbortController
  readonly news: News
  isFollowed: boolean
}

interface Following extends Pick<EarOptions, 'isRight'> {
  readonly afterMs: number
}

/** Before this a hub has told of a run that begins. */
const firstLookMs = 100
const cutMs = 5_000

function lengthOf(told: Told): number {
  if ('failure' in told) throw fromFailure(told.failure)
  return told.length
}
