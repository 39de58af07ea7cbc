import { perform } from '../command.ts'
import { AgentError, toFailure } from '../error.ts'
import { localHost } from '../host.ts'
import type { AgentHandle, Run } from '../run.ts'
import type { Hello } from './hello.ts'
import type { HostedRuns } from './hostedRuns.ts'
import type { HostMessage } from './hostMessage.ts'
import { type Life, whenGone } from './life.ts'
import { createPage } from './page.ts'
import { isPageMessage, type PageMessage, type Request } from './pageMessage.ts'
import { pageRoll } from './pageRoll.ts'
import { relayRun } from './relayRun.ts'

export interface Serving {
  readonly hello: Hello
  readonly agent: AgentHandle
  readonly runs: HostedRuns
  /** How many pages show a run. */
  readonly seen: Map<string, number>
}

/** Milliseconds for the last words of a page that is gone: a tool may be what closed it. */
const grace = 20

/** Does what a page asks for, for as long as the page lives. */
export function servePage(life: Life, { hello, agent, runs, seen }: Serving): void {
  const { port } = life
  const post = (message: HostMessage): void => port.postMessage(message)
  /** What the page shows, and what ends telling it of that; nothing yet, for a run that is being looked for. */
  const shown = new Map<string, (() => void) | undefined>()
  const page = createPage({
    tools: hello.tools,
    models: hello.models,
    post,
    shows: (id) => shown.has(id) || [...shown.keys()].some((above) => id.startsWith(`${above}/`)),
  })

  const show = (id: string): void => {
    if (shown.has(id)) return
    shown.set(id, undefined)
    seen.set(id, (seen.get(id) ?? 0) + 1)
  }
  const hide = (id: string): void => {
    if (!shown.has(id)) return
    shown.get(id)?.()
    shown.delete(id)
    seen.set(id, (seen.get(id) ?? 1) - 1)
    void runs.leave(id)
  }
  const tell = (run: Run): void => {
    if (!shown.has(run.id) || shown.get(run.id)) return
    const { id } = run
    const leave = relayRun(run, (events) => post({ type: 'told', run: id, events }))
    shown.set(id, leave)
  }

  const open = async (id: string, find: () => Run | Promise<Run>): Promise<Run> => {
    const isNew = !shown.has(id)
    // Before it goes on: a tool of pages may be the first thing that it does.
    show(id)
    pageRoll.heardOf(page)
    try {
      const run = await find()
      tell(run)
      return run
    } catch (error) {
      if (isNew) hide(id)
      throw error
    }
  }
  const find = (id: string): Run => {
    const run = shown.has(id) ? runs.find(id) : undefined
    if (run) return run
    throw new AgentError('run_unknown', `This page has no run "${id}" in the worker.`)
  }
  const obey = async (request: Request): Promise<Run> => {
    switch (request.type) {
      case 'start': {
        const { run: id, input, history } = request
        return open(id, () => runs.start(agent, input, { id, ...(history && { history }) }))
      }
      case 'attach':
        return open(request.run, () => runs.open(agent, request.run))
      case 'command': {
        pageRoll.heardOf(page)
        const run = find(request.run)
        await perform(run, request.command)
        return run
      }
      case 'settle': {
        const run = find(request.run)
        if (run.state.rest) await run.settled
        return run
      }
    }
  }
  const answer = async (request: Request): Promise<void> => {
    const { id } = request
    try {
      const { state } = await obey(request)
      post({ type: 'done', id, length: state.seq })
    } catch (error) {
      post({ type: 'undone', id, failure: toFailure(error, 'worker_failed') })
    }
  }

  const leave = (): void => {
    unwatch()
    port.close()
    pageRoll.remove(page)
    for (const id of [...shown.keys()]) hide(id)
    page.lose()
  }
  const hear = (message: PageMessage): void => {
    if (message.type === 'bye') leave()
    else if ('id' in message) void answer(message)
    else page.hear(message)
  }
  // What it said last may still be on its way.
  const unwatch = whenGone(life, () => void localHost.timer(grace, leave))
  pageRoll.add(page)
  port.addEventListener('message', ({ data }: MessageEvent) => {
    if (isPageMessage(data)) hear(data)
  })
  port.start()
}
