import type { AgentHandle, Run } from '@interleave/core'
import { localHost } from '@interleave/core'
import { perform, shownRun, toFailure } from '@interleave/core/internal'
import type { HostMessage } from '../hostMessage.ts'
import { createPage } from '../page.ts'
import { isPageMessage, type PageMessage, type Request } from '../pageMessage.ts'
import { pageRoll } from '../pageRoll.ts'
import type { Hello } from './hello.ts'
import type { HostedRuns } from './hostedRuns.ts'
import { type Life, whenGone } from './life.ts'
import { createShownRuns, type ShownRuns } from './shownRuns.ts'

export interface Serving {
  readonly hello: Hello
  readonly agent: AgentHandle
  readonly runs: HostedRuns
  /** The number of pages that show each run. */
  readonly seen: Map<string, number>
}

/** Milliseconds for the last words of a page that is gone: a tool may be what closed it. */
const grace = 20

/** Does what a page asks for, for as long as the page lives. */
export function servePage(life: Life, { hello, agent, runs, seen }: Serving): void {
  const { port } = life
  const post = (message: HostMessage): void => port.postMessage(message)
  const shown = createShownRuns({ runs, seen, post, onShow: () => pageRoll.heardOf(page) })
  const page = createPage({ tools: hello.tools, models: hello.models, post, shows: shown.has })

  const answer = async (request: Request): Promise<void> => {
    const { id } = request
    if (request.type === 'command') pageRoll.heardOf(page)
    try {
      const run = await obey(request, { agent, runs, shown })
      post({ type: 'done', id, length: run ? shownRun(run).state.seq : 0 })
    } catch (error) {
      post({ type: 'undone', id, failure: toFailure(error, 'worker_failed') })
    }
  }
  const leave = (): void => {
    unwatch()
    port.close()
    pageRoll.remove(page)
    shown.end()
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

interface Place extends Pick<Serving, 'agent' | 'runs'> {
  readonly shown: ShownRuns
}

/** Does one thing that a page asked for. Gives the run that it was about, while the page shows it. */
async function obey(request: Request, { agent, runs, shown }: Place): Promise<Run | undefined> {
  switch (request.type) {
    case 'start': {
      const { run: id, input, key, history } = request
      return shown.open(id, () =>
        runs.start(agent, input, { id, ...(key !== undefined && { key }), ...(history && { history }) }),
      )
    }
    case 'attach':
      return shown.open(request.run, () => runs.open(agent, request.run))
    case 'leave':
      shown.hide(request.run)
      return undefined
    case 'command': {
      const run = shown.get(request.run)
      await perform(run, request.command)
      return run
    }
    case 'settle': {
      const run = shown.get(request.run)
      if (run.state.rest) await run.settled
      return run
    }
  }
}
