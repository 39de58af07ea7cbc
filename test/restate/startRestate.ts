import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A server of Restate's that belongs to a test. */
export interface RestateServer {
  readonly ingress: string
  readonly admin: string
  /** Tells it where handlers are. */
  register(uri: string, mode?: 'fetch' | 'http2'): Promise<void>
  /** Ends it as a power cut would, and starts it again on what it kept. */
  restart(): Promise<void>
  close(): Promise<void>
}

/** The program, where it was installed. Its package leaves out platforms that it is not made for. */
export const restateBinary: string | undefined = findBinary()

export const notice = 'Restate is not installed for this platform: its tests are skipped.'

export async function startRestate(settings: Readonly<Record<string, string>> = {}): Promise<RestateServer> {
  const folder = await mkdtemp(path.join(tmpdir(), 'restate-'))
  const [ingress = 0, admin = 0, node = 0] = await freePorts(3)
  const env = {
    ...process.env,
    RESTATE_INGRESS__BIND_PORT: String(ingress),
    RESTATE_ADMIN__BIND_PORT: String(admin),
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MB',
    RESTATE_LOG_FILTER: 'error',
    // Where the environment asks for them, each of the many errors of a start costs it milliseconds.
    RUST_BACKTRACE: '0',
    ...settings,
  }
  const listen = ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(node)]
  const names = ['--advertised-host', '127.0.0.1', '--node-name', 'one', '--cluster-name', 'test']
  const start = async (): Promise<ChildProcess> => {
    const server = spawn(restateBinary ?? '', ['--no-logo', ...listen, ...names, '--base-dir', folder], {
      env,
      stdio: 'ignore',
    })
    await until(() => fetch(`http://127.0.0.1:${admin}/health`))
    await until(() => fetch(`http://127.0.0.1:${ingress}/restate/health`))
    // Answered once each partition has a leader: a server that is asked for much before that may never come to itself.
    await until(() => query(`http://127.0.0.1:${admin}`, 'SELECT id FROM sys_invocation LIMIT 1'))
    return server
  }
  let server = await start()
  const kill = async (): Promise<void> => {
    const gone = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGKILL')
    await gone
  }
  return {
    ingress: `http://127.0.0.1:${ingress}`,
    admin: `http://127.0.0.1:${admin}`,
    async register(uri, mode = 'http2') {
      const response = await fetch(`http://127.0.0.1:${admin}/deployments`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ uri, force: true, use_http_11: mode === 'fetch' }),
      })
      if (!response.ok) throw new Error(`Restate does not take ${uri}: ${await response.text()}`)
    },
    async restart() {
      await kill()
      server = await start()
    },
    async close() {
      await kill()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Asks the admin API. */
export const query = (admin: string, query: string): Promise<Response> =>
  fetch(`${admin}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query }),
  })

function findBinary(): string | undefined {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'))
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'restate-server')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}

async function until(ask: () => Promise<Response>): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const isThere = await ask().then(
      ({ ok }) => ok,
      () => false,
    )
    if (isThere) return
    await pause(50)
  }
  throw new Error('Restate does not answer.')
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer()
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
