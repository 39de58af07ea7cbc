import type { LanguageModelV4 } from '@ai-sdk/provider'
import type { AgentHandle, GivenContent } from '@interleave/core'
import { type Host, localHost } from '@interleave/core'
import type { HandleOptions } from '@interleave/core/internal'
import { demand, observeOnce } from '@interleave/core/internal'
import { createErrands } from '../errands.ts'
import type { HostedRun } from '../followRun.ts'
import { createPageRuns } from '../pageRuns.ts'
import type { PageTool } from '../pageTool.ts'
import type { PageContext, PageFunction } from '../performTool.ts'
import { createRequests } from '../requests.ts'
import { createLink, type WorkerLike } from './link.ts'

export interface WorkerAgentOptions<Tools extends PageToolTypes = PageToolTypes> {
  /** The functions of the agent's page tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Models that the worker's `pageModel()` asks for, by name. */
  models?: Readonly<Record<string, LanguageModelV4>>
  /** Time, timers and ids. */
  host?: Host
}

/** Page tools by name, as the worker declares them. */
export type PageToolTypes = Readonly<Record<string, Pick<PageTool<never, unknown>, 'inPage'>>>
/** The function that each of them needs. */
export type PageFunctions<Tools extends PageToolTypes> = {
  readonly [Name in keyof Tools]: Tools[Name] extends { readonly inPage?: (input: infer Input) => infer Output }
    ? (input: Input, context: PageContext) => Output | PromiseLike<Output>
    : never
}
/** The output type of an agent. */
export type OutputOf<A> = A extends AgentHandle<infer Output> ? Output : never

/** An agent whose runs are alive in a worker. */
export interface HostedAgent<Output = unknown> extends AgentHandle<Output> {
  start(input: GivenContent, options?: HandleOptions): HostedRun<Output>
  /** Opens a run that is alive in the worker, or in its journal. Gives the same object again until it is closed. */
  resume(runId: string, options?: Pick<HandleOptions, 'observers'>): Promise<HostedRun<Output>>
}

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
  { tools = {}, models = {}, host = localHost }: WorkerAgentOptions<Tools> = {},
): HostedAgent<OutputOf<A>> {
  demand(worker && 'addEventListener' in worker, 'A workerAgent() needs a Worker, a SharedWorker or a MessagePort.')
  const functions = tools as Readonly<Record<string, PageFunction>>
  const requests = createRequests(
    () => host.newId(),
    (request) => link.send(request),
  )
  const runs = createPageRuns<OutputOf<A>>({
    agent: name,
    host,
    requests: { ...requests, send: (request) => (link.fault ? Promise.reject(link.fault) : requests.send(request)) },
  })
  const errands = createErrands({ tools: functions, models, send: (answer) => link.send(answer) })
  const link = createLink({
    worker,
    hello: { agent: name, tools: Object.keys(tools), models: Object.keys(models) },
    host,
    onMessage(message) {
      if (message.type === 'told') runs.tell(message.run, message.events)
      else if (message.type === 'done' || message.type === 'undone') requests.hear(message)
      else if (message.type !== 'welcome' && message.type !== 'refused') errands.perform(message)
    },
    onLost(fault) {
      runs.failAll(fault)
      requests.rejectAll(fault)
      errands.abortAll(fault)
    },
  })

  return {
    name,
    start: (input, options = {}) => runs.start(input, options),
    async resume(id, { observers = [] } = {}) {
      const run = await runs.open(id)
      observeOnce(run, observers)
      return run
    },
  }
}
