import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { bundleWorker } from './bundleWorker.ts'

export interface WorkerSettings {
  readonly port: number
  readonly ingress: string
  readonly world: string
  readonly version?: string
  /** Turns of a segment. */
  readonly turns?: number
  /** `fetch`: there is no stream in both directions, as on an edge. */
  readonly mode?: 'fetch' | 'http2'
}

let bundling: Promise<string> | undefined

/** A process that serves agents to Restate. Resolves when it does. */
export async function startWorker({
  port,
  ingress,
  world,
  version = '1',
  turns = 200,
  mode = 'http2',
}: WorkerSettings): Promise<ChildProcess> {
  bundling ??= bundleWorker()
  const file = await bundling
  const worker = fork(file, {
    execArgv: [],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.dirname(file),
      PORT: `${port}`,
      INGRESS: ingress,
      WORLD: world,
      VERSION: version,
      TURNS: `${turns}`,
      MODE: mode,
    },
  })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)))
  })
  return worker
}

/** Ends it in the middle of what it does. */
export async function killWorker(worker: ChildProcess): Promise<void> {
  if (worker.exitCode !== null || worker.signalCode !== null) return
  const gone = new Promise((resolve) => worker.once('exit', resolve))
  worker.kill('SIGKILL')
  await gone
}
