import type { AgentHandle, Run, RunState } from '@interleave/core'
import { assertOption } from '@interleave/core/internal'
import { Page, pageRegistry } from '../page.ts'
import { PageCalls, type PageFunction } from '../pageCalls.ts'
import type { PageToolTypes } from '../pageTool.ts'
import { createModelRunner } from '../runModel.ts'
import type { WorkerAgentOptions } from './workerAgent.ts'

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
  assertOption(typeof agent?.start === 'function', 'A pageAgent() needs an agent, such as agent({ … }).')
  /** Runs that may call what the page has, and those that are being opened. */
  const shown = new Set<Shown>()
  const followed = new WeakSet<Run>()
  const pageCalls = new PageCalls({
    tools: tools as Readonly<Record<string, PageFunction>>,
    runModel: createModelRunner(models),
    sendAnswer: (answer) => page.receiveAnswer(answer),
  })
  const page: Page = new Page({
    tools: Object.keys(tools),
    models: Object.keys(models),
    post: (message) => pageCalls.receiveCall(message),
    shows: (runId) => [...shown].some(({ id }) => runId === id || runId.startsWith(`${id}/`)),
  })
  const show = (run: Shown): void => {
    shown.add(run)
    pageRegistry.addPage(page)
  }
  const hide = (run: Shown): void => {
    shown.delete(run)
    if (shown.size === 0) pageRegistry.removePage(page)
  }
  /** Follows a run. A finished run may continue and be shown again, and nothing says when the page is done with it. */
  const follow = (run: Run): void => {
    if (!isOver(run.state)) show(run)
    if (followed.has(run)) return
    followed.add(run)
    run.subscribe((_, state) => {
      if (isOver(state)) hide(run)
      else if (!shown.has(run)) show(run)
    })
  }
  const start: AgentHandle['start'] = (input, options) => {
    const run = agent.start(input, options)
    follow(run)
    return run
  }
  const resume: AgentHandle['resume'] = async (id, options) => {
    const opening = { id }
    // It may go on with a call before it is known here.
    show(opening)
    try {
      const run = await agent.resume(id, options)
      follow(run)
      return run
    } finally {
      hide(opening)
    }
  }
  const fork: AgentHandle['fork'] = async (runId, place) => {
    const run = await agent.fork?.(runId, place)
    if (run) follow(run)
    return run as Run
  }
  return { ...agent, start, resume, ...(agent.fork && { fork }) }
}

type Shown = Pick<Run, 'id'>

/** Returns true for a finished run, which calls nothing until it is resumed. */
const isOver = ({ rest }: RunState): boolean =>
  rest?.type === 'answer' || rest?.type === 'failed' || rest?.type === 'stopped'
