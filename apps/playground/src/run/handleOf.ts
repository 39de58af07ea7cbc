import { acrossTabs } from '@interleave/connect/tabs'
import { type Agent, AgentError, type AgentHandle } from '@interleave/core'
import type { ServerRuns } from '../remote/serverRuns.ts'
import type { PageStorage } from '../storage/PageStorage.ts'
import { isServed, type Place, type ServedPlace } from '../workers/Place.ts'
import type { RunModel } from './runModel.ts'

/** The handle that starts and resumes a run. */
export interface Handle extends AgentHandle {
  /** Ends the host, if it works for this tab alone. */
  end?(): void
  /** Ends the host of the run in the middle of its work. Undefined if the page is the host. */
  kill?(): void
}

export interface HandleSetting {
  readonly storage: PageStorage
  readonly runId: string
  readonly file: string
  readonly place: Place
  readonly runModel: RunModel
}

/** Returns the handle of an agent on the host of a run. All tabs share the run. */
export async function handleOf(agent: Agent, { storage, place, ...task }: HandleSetting): Promise<Handle> {
  if (isServed(place))
    return (await import('../remote/serverHandle.ts')).serverHandle(agent.name, serverAt(storage, place))
  if (storage.isFleeting) return alone(agent, storage)
  if (place === 'page') return acrossTabs(agent, { journal: storage.journal })
  const { workerHandle } = await import('../workers/workerHandle.ts')
  return workerHandle({ agent: agent.name, place, ...task })
}

function serverAt({ servers }: PageStorage, place: ServedPlace): ServerRuns {
  if (servers) return servers[place]
  throw new AgentError('remote_failed', 'This page has no server. Choose this page for new runs.')
}

/** For runs that no other tab could find. */
const alone = (agent: Agent, { journal }: PageStorage): AgentHandle => ({
  name: agent.name,
  start: (input, options) => agent.start(input, { ...options, journal }),
  resume: (runId, options) => agent.resume(runId, { ...options, journal }),
})
