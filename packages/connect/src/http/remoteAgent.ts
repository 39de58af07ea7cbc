import type { AgentHandle } from '@interleave/core'
import { type Host, localHost } from '@interleave/core'
import type { RemoteLink } from '@interleave/core/internal'
import { assertOption, hostWords, type KnownOptions, refuseUnknown, reportLater } from '@interleave/core/internal'
import type { PageFunction } from '../pageCalls.ts'
import type { PageFunctions, PageToolTypes } from '../pageTool.ts'
import type { OutputOf, RemoteAgent, ToolTypesOf } from '../remoteRun.ts'
import { createRemoteAgent, RemoteRuns } from '../remoteRuns.ts'
import { newRunId } from '../runId.ts'
import { ClientCalls } from './clientCalls.ts'
import { HttpTransport } from './httpTransport.ts'
import { type RemoteHeaders, Server } from './server.ts'

export interface RemoteAgentOptions<Tools extends PageToolTypes = PageToolTypes> {
  /** The address of the handler, before `/v1`. */
  url: string
  /** The agent's name. */
  name: string
  /** Request headers, for example for authentication. */
  headers?: RemoteHeaders
  /** The functions of the agent's page tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Called when the connection of a run to its server changes. */
  onLink?: (runId: string, link: RemoteLink) => void
  /** Makes the requests; the platform's `fetch` by default. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds without an answer after which the link says that the server does not answer. 2,000 by default. */
  slowAfterMs?: number
  /** Milliseconds without an answer after which a request is sent again. 30,000 by default. */
  requestTimeoutMs?: number
  /** Time, timers and ids. */
  host?: Host
}

const remoteAgentOptions: KnownOptions<RemoteAgentOptions> = {
  url: 'a string',
  name: 'a string',
  headers: true,
  tools: true,
  onLink: 'a function',
  fetch: 'a function',
  slowAfterMs: 'a number (0 or more)',
  requestTimeoutMs: 'a number (0 or more)',
  host: hostWords,
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
export function remoteAgent<A extends AgentHandle = AgentHandle, Tools extends PageToolTypes = PageToolTypes>(
  options: RemoteAgentOptions<Tools>,
): RemoteAgent<OutputOf<A>, ToolTypesOf<A>> {
  refuseUnknown('remoteAgent()', options, remoteAgentOptions)
  const { url, name, headers = {}, tools = {}, onLink = () => {}, host = localHost } = options
  const { fetch = (address, init) => globalThis.fetch(address, init) } = options
  const { slowAfterMs = 2_000, requestTimeoutMs = 30_000 } = options
  assertOption(typeof url === 'string', 'remoteAgent({ url }) needs the address of a createHandler(), such as "/api".')
  assertOption(typeof name === 'string' && name, 'remoteAgent({ name }) needs the name of an agent of the server.')
  for (const [option, ms] of Object.entries({ slowAfterMs, requestTimeoutMs })) {
    assertOption(ms > 0 && ms < 2 ** 31, `\`${option}\` must be a number of milliseconds above 0, such as 2_000.`)
  }
  const server = new Server({ url, headers, fetch, host, slowAfterMs, requestTimeoutMs })
  const names = Object.keys(tools)
  const client: Record<string, string> = names.length > 0 ? { client: host.newId(), tools: names.join(',') } : {}
  const calls = new ClientCalls({
    tools: tools as Readonly<Record<string, PageFunction>>,
    server,
    host,
    client: client.client ?? '',
  })
  const transport: HttpTransport = new HttpTransport({
    agent: name,
    server,
    host,
    client,
    listen: (runId) => ({
      onEvents: (events) => runs.receiveEvents(runId, events),
      onLink(link) {
        if (!runs.setLink(runId, link)) return
        try {
          onLink(runId, link)
        } catch (error) {
          reportLater(error)
        }
      },
      onFailure: (error) => runs.failRun(runId, error),
      onCall: (call) => calls.receiveCall(runId, call),
    }),
    onStream: (runId, link) => calls.followStream(runId, link),
  })
  const runs = new RemoteRuns<OutputOf<A>>({ agent: name, host, transport })
  const handle: RemoteAgent<OutputOf<A>> = {
    ...createRemoteAgent(name, runs),
    start: (input, { id = newRunId(), ...start } = {}) => runs.startRun(input, { ...start, id }),
    async fork(runId, { id = newRunId(), ...place }) {
      await transport.forkRun(runId, { ...place, id })
      return runs.openRun(id)
    },
  }
  // The types of the tools are for inference only.
  return handle as RemoteAgent<OutputOf<A>, ToolTypesOf<A>>
}
