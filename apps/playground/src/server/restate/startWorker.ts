import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { build, defaultServerConditions } from 'vite'

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

/** Starts a process that executes runs. Resolves when Restate can reach it. */
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

/** Bundles the worker into one file, so that its process starts fast. Returns the path of the file. */
export async function buildWorker(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: path.join(import.meta.dirname, '../../..'),
    logLevel: 'warn',
    envDir: false,
    publicDir: false,
    ssr: { noExternal: true, resolve: { conditions: ['@interleave/source', ...defaultServerConditions] } },
    build: {
      ssr: path.join(import.meta.dirname, 'worker.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node22',
      rolldownOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  })
  return path.join(folder, 'worker.mjs')
}
