import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { restateBinary } from './restateBinary.ts'

/** One process of Restate's server, with its data in a folder. */
export interface RestateNode {
  readonly ingress: string
  readonly admin: string
  /** Resolves when it answers, and each partition has a leader. */
  start(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

export interface RestateNodeOptions {
  readonly folder: string
  readonly name: string
  /** The ports of the ingress, of the admin API, and of the node itself. */
  readonly ports: readonly number[]
  readonly settings: Readonly<Record<string, string>>
}

export function restateNode({ folder, name, ports, settings }: RestateNodeOptions): RestateNode {
  const [ingressPort = 0, adminPort = 0, port = 0] = ports
  const [ingress, admin] = [`http://127.0.0.1:${ingressPort}`, `http://127.0.0.1:${adminPort}`]
  const env = {
    ...process.env,
    RESTATE_INGRESS__BIND_PORT: `${ingressPort}`,
    RESTATE_ADMIN__BIND_PORT: `${adminPort}`,
    RESTATE_ADMIN__DISABLE_WEB_UI: 'true',
    RESTATE_DISABLE_TELEMETRY: 'true',
    RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MB',
    RESTATE_LOG_FILTER: 'error',
    // If the environment sets these, a server that gets many requests during its start does nothing else.
    RUST_BACKTRACE: '0',
    ...settings,
  }
  const listen = ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', `${port}`]
  const names = ['--advertised-host', '127.0.0.1', '--node-name', name, '--cluster-name', 'test']
  let server: ChildProcess | undefined
  return {
    ingress,
    admin,
    async start() {
      const line = ['--no-logo', ...listen, ...names, '--base-dir', folder]
      server = spawn(restateBinary ?? '', line, { env, stdio: 'ignore' })
      await until(() => fetch(`${admin}/health`))
      await until(() => fetch(`${ingress}/restate/health`))
      // A partition without a leader has no data yet.
      await until(() => query(admin, 'SELECT id FROM sys_invocation LIMIT 1'))
    },
    async kill() {
      if (!server || server.exitCode !== null || server.signalCode !== null) return
      const gone = new Promise((resolve) => server?.once('exit', resolve))
      server.kill('SIGKILL')
      await gone
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

/** Tells it where handlers are. */
export async function register(admin: string, uri: string, mode: 'fetch' | 'http2' = 'http2'): Promise<void> {
  const response = await fetch(`${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri, force: true, use_http_11: mode === 'fetch' }),
  })
  if (!response.ok) throw new Error(`Restate does not take ${uri}: ${await response.text()}`)
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
