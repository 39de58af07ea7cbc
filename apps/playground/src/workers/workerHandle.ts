import type { AgentHandle } from '@interleave/core'
import { workerAgent } from '@interleave/core/worker'
import type { Mind } from '../run/mind.ts'
import { trustedScriptUrl } from '../safety/trustedScriptUrl.ts'
import type { Place } from './Place.ts'
import url from './run.worker.ts?worker&url'
import { modelInPage, toWorkerName, type WorkerTask } from './workerName.ts'

export interface WorkerHandleOptions extends WorkerTask {
  /** The name of the agent. */
  readonly agent: string
  readonly place: Exclude<Place, 'page'>
  readonly mind: Pick<Mind, 'model'>
}

/** The agent of a run, in a worker of its own. Where there are no shared workers, this tab has one for itself. */
export function workerHandle({ agent, place, mind, ...task }: WorkerHandleOptions): AgentHandle & { end(): void } {
  const options = { type: 'module', name: toWorkerName(task) } as const
  const models = { [modelInPage]: mind.model }
  if (place === 'sharedWorker' && 'SharedWorker' in globalThis) {
    const lasting: WorkerOptions = { ...options, ...{ extendedLifetime: true } }
    const worker = new SharedWorker(trustedScriptUrl(url), lasting)
    return { ...workerAgent(worker, agent, { models }), end: () => worker.port.close() }
  }
  const worker = new Worker(trustedScriptUrl(url), options)
  return { ...workerAgent(worker, agent, { models }), end: () => worker.terminate() }
}
