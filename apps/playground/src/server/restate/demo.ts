// `npm run demo:restate`: Restate, a worker and the playground on this machine, until Ctrl-C.

import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { endProcess, type KeptAlive, keepAlive } from './keepAlive.ts'
import { keptSetup } from './keptSetup.ts'
import { findRestate, register, startRestate, untilHealthy } from './startRestate.ts'
import { buildWorker, startWorker } from './startWorker.ts'

const app = path.join(import.meta.dirname, '../../..')
const folder = process.argv[2] ?? path.join(app, '../../.cache/restate')

const say = (words: string): void => void process.stdout.write(`${words}\n`)
const fail = (error: unknown): never => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}

const binary =
  findRestate() ??
  fail(
    `Restate’s server is not made for this platform (${process.platform}-${process.arch}). On Windows, run this in WSL. ` +
      '“npm run edge” also shows runs that outlive their process.',
  )
const { ports, secret, hubSecret } = await keptSetup(folder).catch(fail)
const at = (port: number): string => `http://127.0.0.1:${port}`
const running: Pick<KeptAlive, 'end'>[] = []

let isEnding = false
const end = async (status: number): Promise<void> => {
  if (isEnding) return
  isEnding = true
  await Promise.all(running.map((each) => each.end()))
  process.exit(status)
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
const failAtOnce = (error: unknown): void => {
  if (isEnding) return
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  void end(1)
}

try {
  const data = path.join(folder, 'data')
  mkdirSync(data, { recursive: true })
  const [restate, file] = await Promise.all([
    keepAlive({
      start: () => startRestate({ binary, folder: data, ports }),
      onRestart: ({ before, now }) => say(`Restate ${before} ended. It runs again as ${now}, with all its data.`),
      onFail: failAtOnce,
    }).then((kept) => {
      running.push(kept)
      return kept
    }),
    buildWorker(path.join(folder, 'worker')),
  ])
  const hub = { url: `${at(ports.page)}/restate/hub`, secret: hubSecret }
  const worker = await keepAlive({
    start: () => startWorker({ file, port: ports.worker, ingress: at(ports.ingress), hub }),
    onRestart: ({ before, now }) => say(`Worker ${before} ended. Worker ${now} continues its runs.`),
    onFail: failAtOnce,
  })
  running.push(worker)
  await register(ports.admin, ports.worker)
  const page = spawn(
    process.execPath,
    [viteFile(), '--port', String(ports.page), '--strictPort', '--logLevel', 'warn'],
    {
      cwd: app,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: {
        ...process.env,
        // The build of the worker sets production mode, which the page server must not inherit.
        NODE_ENV: 'development',
        RESTATE_INGRESS: at(ports.ingress),
        RESTATE_ADMIN: at(ports.admin),
        RESTATE_SECRET: secret,
        HUB_SECRET: hubSecret,
      },
    },
  )
  running.push({ end: () => endProcess(page) })
  page.once('exit', (code) => failAtOnce(new Error(`The playground ended with ${code}.`)))
  // The first request takes some seconds, since it loads the sources.
  for (const api of ['api', 'restate']) await untilHealthy(`${at(ports.page)}/${api}/v1/openapi.json`, page)
  say(`
  Playground   ${at(ports.page)}/   choose “Run in: Restate” for a new run
  Restate      ${at(ports.admin)}/   its own page, with each run as it sees it; pid ${restate.pid}
  Worker       pid ${worker.pid}, where the runs work

  Start a run on Restate, and while it works
    kill -9 ${worker.pid}   the worker dies, and another one continues the run
    kill -9 ${restate.pid}   Restate dies, and starts again with all its data
    Ctrl-C, and npm run demo:restate again: the run continues where it was
  Its data is in ${path.relative(process.cwd(), folder)}.
`)
} catch (error) {
  failAtOnce(error)
}

function viteFile(): string {
  return path.join(app, 'node_modules/vite/bin/vite.js')
}
