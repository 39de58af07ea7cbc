import { workerAgent } from '@interleave/connect/worker'
import type { AgentHandle } from '@interleave/core'
import { pageFunctions } from '../docs/pageFunctions.ts'
import { killSharedWorker } from '../kill/workerKills.ts'
import type { RunModel } from '../run/runModel.ts'
import { trustedScriptUrl } from '../safety/trustedPolicy.ts'
import type { PageTools } from '../tools/showSection.ts'
import type { Place, ServedPlace } from './Place.ts'
import url from './run.worker.ts?worker&url'
import { modelInPage, toWorkerName, type WorkerTask } from './workerName.ts'

export interface WorkerHandleOptions extends WorkerTask {
  /** The name of the agent. */
  readonly agent: string
  readonly place: Exclude<Place, 'page' | ServedPlace>
  readonly runModel: Pick<RunModel, 'model'>
}

/** The agent of a run, in its own worker. Without shared workers, only this tab uses the worker. */
export function workerHandle({
  agent,
  place,
  runModel,
  ...task
}: WorkerHandleOptions): AgentHandle & Record<'end' | 'kill', () => void> {
  const options = { type: 'module', name: toWorkerName(task) } as const
  const given = { models: { [modelInPage]: runModel.model }, tools: { showSection: pageFunctions.showSection } }
  const open = (create: () => Worker | SharedWorker): AgentHandle =>
    workerAgent<AgentHandle, PageTools>(create, agent, given)
  // It is created again when it was killed.
  if (place === 'sharedWorker' && 'SharedWorker' in globalThis) {
    const lasting: WorkerOptions = { ...options, ...{ extendedLifetime: true } }
    let shared: SharedWorker | undefined
    const createShared = (): SharedWorker => {
      shared = new SharedWorker(trustedScriptUrl(url), lasting)
      return shared
    }
    return { ...open(createShared), end: () => shared?.port.close(), kill: () => killSharedWorker(task.runId) }
  }
  let worker: Worker | undefined
  const create = (): Worker => {
    worker = new Worker(trustedScriptUrl(url), options)
    return worker
  }
  const end = (): void => worker?.terminate()
  return { ...open(create), end, kill: end }
}
