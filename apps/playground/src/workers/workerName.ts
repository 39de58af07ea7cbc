/** The settings that a worker needs before its first message. They stay the same for a run, so that all tabs share one worker. */
export interface WorkerTask {
  readonly runId: string
  /** The file of its agent. */
  readonly file: string
}

export const toWorkerName = ({ runId, file }: WorkerTask): string => JSON.stringify({ runId, file })

export function fromWorkerName(name: string): WorkerTask {
  const { runId, file } = Object(JSON.parse(name))
  if (typeof runId !== 'string' || typeof file !== 'string') throw new Error('The worker was not made for a run.')
  return { runId, file }
}

/** The name under which pages share the model of a run. */
export const modelInPage = 'chosen'
