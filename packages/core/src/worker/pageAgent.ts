import { demand } from '../demand.ts'
import type { AgentHandle, Run } from '../run.ts'
import { createErrands } from './errands.ts'
import type { HostMessage } from './hostMessage.ts'
import { createPage } from './page.ts'
import { pageRoll } from './pageRoll.ts'
import type { PageFunction } from './performTool.ts'
import type { PageToolTypes, WorkerAgentOptions } from './workerAgent.ts'

/**
 * An agent that works in this page, with the functions of its page tools: the counterpart of `workerAgent()` and `remoteAgent()`
 * for the same agent. Calls of the runs that are started and resumed by it are performed here.
 *
 * @example
 * const guide = pageAgent(agentOfTheFile, { tools: { highlight: ({ text }) => editor.mark(text) } })
 */
export function pageAgent<A extends AgentHandle, Tools extends PageToolTypes = PageToolTypes>(
  agent: A,
  { tools = {}, models = {} }: Pick<WorkerAgentOptions<Tools>, 'tools' | 'models'>,
): A {
  demand(typeof agent?.start === 'function', 'A pageAgent() needs an agent, such as agent({ … }).')
  const shown = new Set<string>()
  const functions = tools as Readonly<Record<string, PageFunction>>
  const errands = createErrands({ tools: functions, models, send: (answer) => page.hear(answer) })
  const page = createPage({
    tools: Object.keys(tools),
    models: Object.keys(models),
    post: (message: HostMessage) => {
      if (message.type === 'tool' || message.type === 'model' || message.type === 'more' || message.type === 'abort')
        errands.perform(message)
    },
    shows: (runId) => [...shown].some((id) => runId === id || runId.startsWith(`${id}/`)),
  })
  const show = (runId: string): void => {
    shown.add(runId)
    pageRoll.add(page)
  }
  const start: AgentHandle['start'] = (input, options) => {
    const run = agent.start(input, options)
    show(run.id)
    return run
  }
  const resume: AgentHandle['resume'] = async (runId, options) => {
    // It may go on with a call before it is known here.
    show(runId)
    return agent.resume(runId, options)
  }
  const fork: AgentHandle['fork'] = async (runId, place) => {
    const run = await agent.fork?.(runId, place)
    if (run) show(run.id)
    return run as Run
  }
  return { ...agent, start, resume, ...(agent.fork && { fork }) }
}
