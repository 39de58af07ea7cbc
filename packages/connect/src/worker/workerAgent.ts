import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AgentHandle } from '@interleave/core'
import { AgentError, type Host, localHost } from '@interleave/core'
import {
  assertOption,
  fromFailure,
  hostWords,
  type KnownOptions,
  plainMessages,
  refuseUnknown,
} from '@interleave/core/internal'
import { Calls } from '../calls.ts'
import { isPageCall } from '../messages.ts'
import { ownNames, PageCalls, type PageFunction } from '../pageCalls.ts'
import type { PageFunctions, PageToolTypes } from '../pageTool.ts'
import type { OutputOf, RemoteAgent, ToolTypesOf } from '../remoteRun.ts'
import type { Request } from '../remoteRuns.ts'
import { createRemoteAgent, RemoteRuns } from '../remoteRuns.ts'
import { createModelRunner } from '../runModel.ts'
import { type WorkerLike, WorkerLink } from './link.ts'

export interface WorkerAgentOptions<Tools extends PageToolTypes = PageToolTypes> {
  /** The functions of the agent's page tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Models that the worker's `pageModel()` calls, by name. */
  models?: Readonly<Record<string, LanguageModelV4>>
  /** Time, timers and ids. */
  host?: Host
}

const slowWorker = (): AgentError =>
  new AgentError('worker_failed', 'The worker has not answered for 2 seconds.', { retryable: true })

const workerAgentOptions: KnownOptions<WorkerAgentOptions> = { tools: true, models: true, host: hostWords }

/**
 * Returns a handle to an agent of a `workerHost()`. Its runs execute in the worker, and continue when this page closes,
 * if the worker survives.
 *
 * @example
 * import type { guide } from './guide.worker.ts'
 *
 * const worker = new Worker(new URL('./guide.worker.ts', import.meta.url), { type: 'module' })
 * const run = workerAgent<typeof guide>(worker, 'guide').start('Which museums open on Monday?')
 */
export function workerAgent<A extends AgentHandle = AgentHandle, Tools extends PageToolTypes = PageToolTypes>(
  worker: WorkerLike,
  name: string,
  options: WorkerAgentOptions<Tools> = {},
): RemoteAgent<OutputOf<A>, ToolTypesOf<A>> {
  refuseUnknown('workerAgent()', options, workerAgentOptions)
  const { tools = {}, models = {}, host = localHost } = options
  assertOption(
    typeof Object(worker).addEventListener === 'function',
    'A workerAgent() needs a Worker, a SharedWorker or a MessagePort.',
  )
  const requests = new Calls<Request, number>(
    () => host.newId(),
    (id, request, signal) => link.sendMessage({ ...request, id }, signal),
  )
  const runs = new RemoteRuns<OutputOf<A>>({
    agent: name,
    host,
    toHistory: plainMessages,
    slow: { afterMs: 2_000, error: slowWorker() },
    transport: {
      sendRequest: (request, signal) =>
        link.fault ? Promise.reject(link.fault) : requests.sendCall(request, { signal }).answer,
      cancelRequests: (runId, error) => requests.rejectCalls(({ run }) => (run === runId ? error : undefined)),
    },
  })
  const pageCalls = new PageCalls({
    tools: tools as Readonly<Record<string, PageFunction>>,
    runModel: createModelRunner(models),
    sendAnswer: (answer) => link.sendMessage(answer),
  })
  const link: WorkerLink = new WorkerLink({
    worker,
    hello: { agent: name, tools: ownNames('tools', tools), models: ownNames('models', models) },
    host,
    onMessage(message) {
      if (message.type === 'events') runs.receiveEvents(message.run, message.events)
      else if (message.type === 'done') requests.resolveCall(message.id, message.length)
      else if (message.type === 'undone') requests.rejectCall(message.id, fromFailure(message.failure))
      else if (isPageCall(message)) pageCalls.receiveCall(message)
    },
    onLost(fault) {
      runs.failRuns(fault)
      requests.rejectCalls(() => fault)
      pageCalls.abortCalls(fault)
    },
  })
  return createRemoteAgent(name, runs)
}
