import type { ChildProcess } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { preview } from 'vite'
import { endProcess, keepAlive } from '../../apps/playground/src/server/restate/keepAlive.ts'
import { keptSetup } from '../../apps/playground/src/server/restate/keptSetup.ts'
import { register, startRestate } from '../../apps/playground/src/server/restate/startRestate.ts'
import { buildWorker, startWorker } from '../../apps/playground/src/server/restate/startWorker.ts'
import { restateBinary } from '../restate/restateBinary.ts'

/** The playground with its runs on Restate, as `npm run demo:restate` has it, but as it was built and with nothing left behind. */
export interface OpenRestate {
  readonly url: string
  /** Ends the process in which runs work, as a power cut would. Resolves when there is another one. */
  killWorker(): Promise<void>
  close(): Promise<void>
}

export async function openRestate(): Promise<OpenRestate> {
  const folder = mkdtempSync(path.join(tmpdir(), 'restate-'))
  const closers: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true, maxRetries: 5 })]
  const close = async (): Promise<void> => {
    for (const end of closers.splice(0).reverse()) await end()
  }
  try {
    return { ...(await open(folder, closers)), close }
  } catch (error) {
    await close()
    throw error
  }
}

async function open(folder: string, closers: (() => unknown)[]): Promise<Omit<OpenRestate, 'close'>> {
  const { ports, secret, hubSecret } = await keptSetup(folder)
  const [ingress, admin] = [addressOf(ports.ingress), addressOf(ports.admin)]
  const [restate, file] = await Promise.all([
    startRestate({ binary: restateBinary ?? '', folder: path.join(folder, 'data'), ports }),
    buildWorker(path.join(folder, 'worker')),
  ])
  closers.push(() => endProcess(restate))
  const hub = { url: `${addressOf(ports.page)}/restate/hub`, secret: hubSecret }
  let worker: ChildProcess | undefined
  let isBack = (): void => {}
  const kept = await keepAlive({
    start: async () => {
      worker = await startWorker({ file, port: ports.worker, ingress, hub })
      return worker
    },
    onRestart: () => isBack(),
    onFail: (error) => console.error(error),
  })
  closers.push(() => kept.end())
  await register(ports.admin, ports.worker)
  const env = { RESTATE_INGRESS: ingress, RESTATE_ADMIN: admin, RESTATE_SECRET: secret, HUB_SECRET: hubSecret }
  Object.assign(process.env, env)
  closers.push(() => Object.keys(env).map((name) => delete process.env[name]))
  const page = await preview({
    root: path.join(import.meta.dirname, '../../apps/playground'),
    logLevel: 'error',
    preview: { host: '127.0.0.1', port: ports.page, strictPort: true },
  })
  closers.push(() => page.close())
  // What it reads first takes it some seconds.
  for (const gate of ['api', 'restate']) await fetch(`${addressOf(ports.page)}/${gate}/v1/openapi.json`)
  return {
    url: `${addressOf(ports.page)}/`,
    killWorker: () =>
      new Promise((resolve) => {
        isBack = resolve
        worker?.kill('SIGKILL')
      }),
  }
}

const addressOf = (port: number): string => `http://127.0.0.1:${port}`
