import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AgentHandle } from '@interleave/core'
import { AgentError, type Host, localHost } from '@interleave/core'
import { assertOption, checkOptions, DEV, plainMessages } from '@interleave/core/internal'
import type { ClientToolTypes, PageFunctions } from '../clientTool.ts'
import { isPageCall } from '../messages.ts'
import { ownNames, PageCalls, type PageFunction } from '../pageCalls.ts'
import type { OutputOf, RemoteAgent, ToolTypesOf } from '../remoteRun.ts'
import { createRemoteAgent, RemoteRuns } from '../remoteRuns.ts'
import { createModelRunner } from '../runModel.ts'
import { unstored } from './hello.ts'
import { WorkerLink, type WorkerSource } from './link.ts'
import { WorkerRequests } from './workerRequests.ts'

export interface WorkerAgentOptions<Tools extends ClientToolTypes = ClientToolTypes> {
  /** The functions of the agent's page tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Models that the worker's `pageModel()` calls, by name. */
  models?: Readonly<Record<string, LanguageModelV4>>
  /** Time, timers and ids. */
  host?: Host
}

const faultOf = (message: string): AgentError => new AgentError('worker_failed', message, { retryable: true })
const left = (): AgentError =>
  new AgentError('tool_interrupted', 'The page was left, or has lost its worker. The call may run elsewhere.')

/**
 * Returns a handle to an agent of a `workerHost()`. Its runs execute in the worker, and continue when this page closes,
 * if the worker survives. A worker that ends is created again, if you pass a function that creates it.
 *
 * @example
 * import type { guide } from './guide.worker.ts'
 *
 * const createWorker = () => new Worker(new URL('./guide.worker.ts', import.meta.url), { type: 'module' })
 * const run = workerAgent<typeof guide>(createWorker, 'guide').start('Which museums open on Monday?')
 */
export function workerAgent<A extends AgentHandle = AgentHandle, Tools extends ClientToolTypes = ClientToolTypes>(
  worker: WorkerSource,
  name: string,
  options: WorkerAgentOptions<Tools> = {},
): RemoteAgent<OutputOf<A>, ToolTypesOf<A>> {
  checkOptions('workerAgent()', options, ['tools', 'models', 'host'])
  const { tools = {}, models = {}, host = localHost } = options
  assertOption(
    typeof worker === 'function' || typeof Object(worker).addEventListener === 'function',
    DEV &&
      'A workerAgent() needs a function that creates its worker, such as () => new Worker(…), or a worker or MessagePort.',
  )
  const requests = new WorkerRequests({
    host,
    sendMessage: (message) => link.sendMessage(message),
    positionOf: (runId) => runs.positionOf(runId),
  })
  const runs = new RemoteRuns<OutputOf<A>>({
    agent: name,
    host,
    toHistory: plainMessages,
    slow: { afterMs: 2_000, error: faultOf('The worker has not answered for 2 seconds.') },
    transport: {
      sendRequest: (request, signal) =>
        link.fault ? Promise.reject(link.fault) : requests.sendRequest(request, signal),
      cancelRequests: (runId, error) => requests.cancelRequests(runId, error),
    },
  })
  const begun = new Set<string>()
  const pageCalls = new PageCalls({
    host,
    tools: tools as Readonly<Record<string, PageFunction>>,
    runModel: createModelRunner(models, begun),
    sendAnswer: (answer) => link.sendMessage(answer),
    take: (call) => requests.takeCall(call),
  })
  const link: WorkerLink = new WorkerLink({
    worker,
    hello: {
      ...{ agent: name, tools: ownNames('tools', tools), models: ownNames('models', models) },
      // A visit is a new page to the worker, as is the first visit of a new worker.
      get begun() {
        return [...begun]
      },
    },
    host,
    onMessage(message) {
      if (message.type === 'events') runs.receiveEvents(message.run, message.events)
      else if (message.type === 'done' || message.type === 'undone') requests.receiveReply(message)
      else if (isPageCall(message)) pageCalls.receiveCall(message)
    },
    // The runs that are open in this page first: commands are for them.
    onWelcome: () => requests.sendAgain(() => runs.reopenRuns(faultOf(unstored))),
    onLeave() {
      requests.endVisit(left())
      pageCalls.abortCalls(left())
    },
    onRestart() {
      runs.setConnecting()
      return runs.needsHost || requests.areOpen
    },
    onLost(fault) {
      runs.failRuns(fault)
      requests.failRequests(fault)
      pageCalls.abortCalls(fault)
    },
  })
  return createRemoteAgent(name, runs)
}
