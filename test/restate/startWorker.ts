import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { bundleProgram } from '../processes/bundleProgram.ts'

export interface WorkerSettings {
  readonly ingress: string
  /** The address of the shop. */
  readonly shop: string
  /** Turns of a segment. */
  readonly turns?: number
  /** `fetch`: there is no stream in both directions, as on an edge. */
  readonly mode?: 'fetch' | 'http2'
  /** The rule that it breaks. */
  readonly rule?: string
  /** Long waits are shorter: see `quickHost`. */
  readonly isQuick?: boolean
  /** Loses answers of Restate, by this seed. */
  readonly lossy?: number
}

let bundling: Promise<string> | undefined

/** A process that serves agents to Restate. Resolves when it does. */
export async function startWorker(
  port: number,
  { ingress, shop, turns = 200, mode = 'http2', rule = '', isQuick = false, lossy }: WorkerSettings,
): Promise<ChildProcess> {
  bundling ??= bundleProgram(path.join(import.meta.dirname, 'worker.ts'))
  const file = await bundling
  const worker = fork(file, {
    execArgv: [],
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: path.dirname(file),
      ...{
        PORT: `${port}`,
        INGRESS: ingress,
        SHOP: shop,
        TURNS: `${turns}`,
        MODE: mode,
        RULE: rule,
        QUICK: isQuick ? 'yes' : '',
        LOSSY: `${lossy ?? ''}`,
      },
    },
  })
  await new Promise<void>((resolve, reject) => {
    worker.once('message', () => resolve())
    worker.once('exit', (code) => reject(new Error(`The worker ended with ${code}.`)))
  })
  return worker
}
