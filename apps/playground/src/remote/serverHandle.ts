import type { AgentHandle } from '@interleave/core'
import { type RemoteLink, remoteAgent } from '@interleave/core/remote'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { pageFunctions } from '../docs/pageFunctions.ts'
import type { PageTools } from '../tools/showSection.ts'
import type { ServerRuns } from './serverRuns.ts'

/** How the page stands with the server about one run, for who looks at it. */
export type LinkStore = Pick<StoreApi<RemoteLink>, 'getState' | 'getInitialState' | 'subscribe'>

/** The agent of a run, on the server. */
export function serverHandle(name: string, { url, headers }: ServerRuns): AgentHandle & { readonly link: LinkStore } {
  const link = createStore<RemoteLink>(() => ({ type: 'connecting' }))
  const onLink = (_: string, now: RemoteLink): void => link.setState(now, true)
  return {
    ...remoteAgent<AgentHandle, PageTools>({
      url,
      name,
      headers,
      tools: { showSection: pageFunctions.showSection },
      onLink,
    }),
    link,
  }
}
