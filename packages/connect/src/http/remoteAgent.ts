import type { AgentHandle } from '@interleave/core'
import { type Host, localHost } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import { demand, observeOnce, reportLater } from '@interleave/core/internal'
import { createPageRuns } from '../pageRuns.ts'
import type { PageFunction } from '../performTool.ts'
import type { HostedAgent, OutputOf, PageFunctions, PageToolTypes } from '../worker/workerAgent.ts'
import { createClientErrands } from './clientErrands.ts'
import { newRunId } from './newRunId.ts'
import { createRemoteRequests } from './remoteRequests.ts'
import { createServer, type RemoteHeaders } from './server.ts'

export interface RemoteAgentOptions<Tools extends PageToolTypes = PageToolTypes> {
  /** The address of the handler, before `/v1`. */
  url: string
  /** The agent's name. */
  name: string
  /** Request headers, for example for authentication. */
  headers?: RemoteHeaders
  /** The functions of the agent's client tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Hears how the page stands with the server, about each of its runs. */
  onLink?: (runId: string, link: RemoteLink) => void
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds without an answer after which the link says that the server does not answer. 2,000 by default. */
  slowAfterMs?: number
  /** Milliseconds without an answer after which a request is sent again. 30,000 by default. */
  requestTimeoutMs?: number
  /** Time, timers and ids. */
  host?: Host
}

/**
 * Returns a handle to an agent of a `createHandler()`. Its runs execute on the server, and continue when this page
 * closes.
 *
 * @example
 * import type { guide } from './guide.ts'
 *
 * const run = remoteAgent<typeof guide>({ url: '/api', name: 'guide' }).start('Which museums open on Monday?')
 */
export function remoteAgent<A extends AgentHandle = AgentHandle, Tools extends PageToolTypes = PageToolTypes>({
  url,
  name,
  headers = {},
  tools = {},
  onLink = () => {},
  fetch = (address, init) => globalThis.fetch(address, init),
  slowAfterMs = 2_000,
  requestTimeoutMs = 30_000,
  host = localHost,
}: RemoteAgentOptions<Tools>): HostedAgent<OutputOf<A>> {
  demand(typeof url === 'string', 'remoteAgent({ url }) needs the address of a createHandler(), such as "/api".')
  demand(typeof name === 'string' && name, 'remoteAgent({ name }) needs the name of an agent of the server.')
  for (const [option, ms] of Object.entries({ slowAfterMs, requestTimeoutMs })) {
    demand(ms > 0 && ms < 2 ** 31, `\`${option}\` must be a number of milliseconds above 0, such as 2_000.`)
  }
  const server = createServer({ url, headers, fetch, host, slowAfterMs, requestTimeoutMs })
  const names = Object.keys(tools)
  const client: Record<string, string> = names.length > 0 ? { client: host.newId(), tools: names.join(',') } : {}
  const errands = createClientErrands({
    tools: tools as Readonly<Record<string, PageFunction>>,
    server,
    client: client.client ?? '',
  })
  const requests = createRemoteRequests({
    agent: name,
    server,
    host,
    client,
    hear: (runId) => ({
      events: (events) => runs.tell(runId, events),
      link(link) {
        if (!runs.linked(runId, link)) return
        try {
          onLink(runId, link)
        } catch (error) {
          reportLater(error)
        }
      },
      fail: (error) => runs.fail(runId, error),
      errand: (errand) => errands.take(runId, errand),
    }),
    onStream: errands.renew,
  })
  const runs = createPageRuns<OutputOf<A>>({ agent: name, host, requests, showsSaid: true })
  return {
    name,
    start: (input, { id = newRunId(), ...options } = {}) => runs.start(input, { ...options, id }),
    async resume(id, { observers = [] } = {}) {
      const run = await runs.open(id)
      observeOnce(run, observers)
      return run
    },
    async fork(runId, { id = newRunId(), ...place }) {
      await requests.fork(runId, { ...place, id })
      return runs.open(id)
    },
  }
}
