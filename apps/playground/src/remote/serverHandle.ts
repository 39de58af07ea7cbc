import { remoteAgent } from '@interleave/connect/http'
import type { AgentHandle } from '@interleave/core'
import { pageFunctions } from '../docs/pageFunctions.ts'
import type { PageTools } from '../tools/showSection.ts'
import type { ServerRuns } from './serverRuns.ts'

export const serverHandle = (name: string, { url, headers, reach }: ServerRuns): AgentHandle =>
  remoteAgent<AgentHandle, PageTools>({
    url,
    name,
    headers,
    tools: { showSection: pageFunctions.showSection },
    onConnection: (runId, connection) =>
      reach.setState(({ connections }) => ({ connections: { ...connections, [runId]: connection } })),
  })
