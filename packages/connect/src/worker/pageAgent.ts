import { type AgentHandle, localHost, type Run, type RunState } from '@interleave/core'
import { assertOption, checkOptions, DEV, derivedAgent } from '@interleave/core/internal'
import type { ClientToolTypes } from '../clientTool.ts'
import { Page, pageRegistry } from '../page.ts'
import { ownNames, PageCalls, type PageFunction } from '../pageCalls.ts'
import { createModelRunner } from '../runModel.ts'
import type { WorkerAgentOptions } from './workerAgent.ts'

/**
 * Returns an agent that runs in this page, with the functions of its page tools. `workerAgent()` and `remoteAgent()` are
 * the same for an agent elsewhere. Calls of runs that it starts and resumes run in this page.
 *
 * @example
 * const guide = pageAgent(agentOfTheFile, { tools: { highlight: ({ text }) => editor.mark(text) } })
 */
export function pageAgent<A extends AgentHandle, Tools extends ClientToolTypes = ClientToolTypes>(
  agent: A,
  options: Pick<WorkerAgentOptions<Tools>, 'tools' | 'models'>,
): A {
  assertOption(typeof agent?.start === 'function', DEV && 'A pageAgent() needs an agent, such as agent({ … }).')
  checkOptions('pageAgent()', options, ['tools', 'models'])
  const runs = new PageRuns(options)
  const fork: AgentHandle['fork'] = async (runId, forkPoint) => {
    const run = await agent.fork?.(runId, forkPoint)
    return runs.followRun(run as Run)
  }
  const members: Pick<AgentHandle, 'start' | 'resume' | 'fork'> = {
    start: (input, options) => runs.followRun(agent.start(input, options)),
    resume: (id, options) => runs.openRun(id, () => agent.resume(id, options)),
    ...(agent.fork && { fork }),
  }
  return derivedAgent(agent, members)
}

/** The runs of this page that may call the page's functions. */
class PageRuns {
  readonly #page: Page
  /** The shown runs, and those that are being opened. */
  readonly #shown = new Set<Shown>()
  readonly #followed = new WeakSet<Run>()

  constructor({ tools = {}, models = {} }: Pick<WorkerAgentOptions, 'tools' | 'models'>) {
    const calls = new PageCalls({
      host: localHost,
      tools: tools as Readonly<Record<string, PageFunction>>,
      runModel: createModelRunner(models),
      sendAnswer: (answer) => this.#page.receiveAnswer(answer),
      take: (call) => this.#page.takeCall(call),
    })
    this.#page = new Page({
      tools: ownNames('tools', tools),
      models: ownNames('models', models),
      post: (message) => calls.receiveCall(message),
      shows: (runId) => [...this.#shown].some(({ id }) => runId === id || runId.startsWith(`${id}/`)),
    })
  }

  /** Follows a run. A finished run may continue and be shown again, and nothing reports when the page is done with it. */
  followRun<R extends Run>(run: R): R {
    if (!isOver(run.state)) this.#show(run)
    if (this.#followed.has(run)) return run
    this.#followed.add(run)
    run.subscribe((_, state) => {
      if (isOver(state)) this.#hide(run)
      else if (!this.#shown.has(run)) this.#show(run)
    })
    return run
  }

  /** Opens a run. The run may continue with a call before it is open here. */
  async openRun<R extends Run>(id: string, open: () => Promise<R>): Promise<R> {
    const opening = { id }
    this.#show(opening)
    try {
      return this.followRun(await open())
    } finally {
      this.#hide(opening)
    }
  }

  #show(run: Shown): void {
    this.#shown.add(run)
    pageRegistry.addPage(this.#page)
  }

  #hide(run: Shown): void {
    this.#shown.delete(run)
    if (this.#shown.size === 0) pageRegistry.removePage(this.#page)
  }
}

type Shown = Pick<Run, 'id'>

/** Returns true for a finished run, which calls nothing until it is resumed. */
const isOver = ({ signal }: RunState): boolean =>
  signal?.type === 'answer' || signal?.type === 'failed' || signal?.type === 'stopped'
