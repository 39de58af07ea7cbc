import { type ChildProcess, fork } from 'node:child_process'

export interface WorkerOptions {
  /** The worker as one file. */
  readonly file: string
  readonly port: number
  /** The address of Restate's ingress. */
  readonly ingress: string
  /** The address that receives the live events of runs. */
  readonly hub: { readonly url: string; readonly secret: string }
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A process in which runs work. Resolves when Restate can reach it. */
export async function startWorker({ file, port, ingress, hub, env = {} }: WorkerOptions): Promise<ChildProcess> {
  const worker = fork(file, {
    execArgv: [],
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      RESTATE_INGRESS: ingress,
      HUB_URL: hub.url,
      HUB_SECRET: hub.secret,
    },
  })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)))
  })
  return worker
}
