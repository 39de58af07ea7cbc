import type { AgentHandle } from '@interleave/core'
import type { ConnectionState } from '@interleave/core/internal'
import { assertOption, checkAboveZero, checkOptions, DEV, quietly } from '@interleave/core/internal'
import type { ClientToolTypes, PageFunctions } from '../clientTool.ts'
import { ownNames, type PageFunction } from '../pageCalls.ts'
import type { OutputOf, RemoteAgent, ToolTypesOf } from '../remoteRun.ts'
import { createRemoteAgent, newRunId, RemoteRuns } from '../remoteRuns.ts'
import { ClientCalls } from './clientCalls.ts'
import { HttpTransport } from './httpTransport.ts'
import { Server, type ServerOptions, type Timeouts } from './server.ts'

export interface RemoteAgentOptions<Tools extends ClientToolTypes = ClientToolTypes> extends ServerOptions {
  /** The agent's name. */
  name: string
  /** The functions of the agent's page tools, as far as this page has them. */
  tools?: Partial<PageFunctions<Tools>>
  /** Called when the connection of a run to its server changes. */
  onConnection?: (runId: string, connection: ConnectionState) => void
  /** The times after which a slow server is reported, and a request is sent again. */
  timeouts?: Partial<Timeouts>
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
export function remoteAgent<A extends AgentHandle = AgentHandle, Tools extends ClientToolTypes = ClientToolTypes>(
  options: RemoteAgentOptions<Tools>,
): RemoteAgent<OutputOf<A>, ToolTypesOf<A>> {
  checkOptions('remoteAgent()', options, [
    'url',
    'headers',
    'fetch',
    'host',
    'name',
    'tools',
    'onConnection',
    'timeouts',
  ])
  const { url, name, tools = {}, onConnection = () => {}, timeouts = {} } = options
  assertOption(
    typeof url === 'string',
    DEV && 'remoteAgent({ url }) needs the address of a createHandler(), such as "/api".',
  )
  assertOption(
    typeof name === 'string' && name,
    DEV && 'remoteAgent({ name }) needs the name of an agent of the server.',
  )
  assertOption(
    'any' in AbortSignal,
    DEV && 'remoteAgent() needs AbortSignal.any(): Chrome 116, Firefox 124 or Safari 17.4.',
  )
  checkOptions('`timeouts`', timeouts, ['slowAfterMs', 'requestMs'])
  checkAboveZero('`timeouts`', timeouts)
  const server = new Server(options, timeouts)
  const { host } = server
  const names = ownNames('tools', tools)
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
    places: server.places,
    listen: (runId) => ({
      onEvents: (events) => runs.receiveEvents(runId, events),
      onConnection(connection) {
        if (runs.setConnection(runId, connection)) quietly(() => onConnection(runId, connection))
      },
      onFailure: (error) => runs.failRun(runId, error),
      onCall: (call) => calls.receiveCall(runId, call),
      onLife: () => calls.confirmCalls(runId),
      onStream: (connection) => calls.followStream(runId, connection),
    }),
  })
  const runs = new RemoteRuns<OutputOf<A>>({ agent: name, host, transport })
  const handle: RemoteAgent<OutputOf<A>> = {
    ...createRemoteAgent(name, runs),
    start: (input, { id = newRunId(), ...start } = {}) => runs.startRun(input, { ...start, id }),
    async fork(runId, { id = newRunId(), ...forkPoint }) {
      await transport.forkRun(runId, { ...forkPoint, id })
      return runs.openRun(id)
    },
  }
  // The types of the tools are for inference only.
  return handle as RemoteAgent<OutputOf<A>, ToolTypesOf<A>>
}
