import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Resolves when a process answers at an address. Rejects if it ends before. */
export async function untilHealthy(url: string, child: ChildProcess): Promise<void> {
  while (!(await isHealthy(url))) {
    const end = child.exitCode ?? child.signalCode
    if (end !== null) throw new Error(`The process for ${url} ended with ${end}.`)
    await pause(50)
  }
}

const isHealthy = (url: string): Promise<boolean> =>
  fetch(url).then(
    ({ ok }) => ok,
    () => false,
  )

export interface RestateOptions {
  readonly binary: string
  /** The folder of its data. Its output is in a file next to it, `<folder>.log`. */
  readonly folder: string
  readonly ports: RestatePorts
}

export interface RestatePorts {
  readonly ingress: number
  readonly admin: number
  /** The port for connections between its nodes. */
  readonly node: number
}

/** Starts a Restate server on this machine. Resolves when it answers. */
export async function startRestate({ binary, folder, ports }: RestateOptions): Promise<ChildProcess> {
  const { ingress, admin, node } = ports
  const listen = ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(node)]
  const names = ['--advertised-host', '127.0.0.1', '--node-name', 'one', '--cluster-name', 'playground']
  const log = openSync(`${folder}.log`, 'w')
  const server = spawn(binary, ['--no-logo', ...listen, ...names, '--base-dir', folder], {
    stdio: ['ignore', log, log],
    env: {
      ...process.env,
      RESTATE_INGRESS__BIND_PORT: String(ingress),
      RESTATE_ADMIN__BIND_PORT: String(admin),
      RESTATE_DISABLE_TELEMETRY: 'true',
      RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '512MB',
      RESTATE_LOG_FILTER: 'error',
      // Traces of errors keep a server busy that gets requests while it starts.
      RUST_BACKTRACE: '0',
    },
  })
  closeSync(log)
  try {
    await untilHealthy(`http://127.0.0.1:${admin}/health`, server)
    await untilHealthy(`http://127.0.0.1:${ingress}/restate/health`, server)
    return server
  } catch (cause) {
    throw new Error(`Restate could not start. ${folder}.log says why.`, { cause })
  }
}

/** Registers the address of a worker with Restate, in place of an earlier registration. */
export async function register(admin: number, worker: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${worker}/`, force: true }),
  })
  if (!response.ok) throw new Error(`Restate did not accept the worker: ${await response.text()}`)
}

/** Returns the path of Restate's server; undefined if its package does not support this platform. */
export function findRestate(): string | undefined {
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  try {
    const require = createRequire(createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'))
    const file = path.join(path.dirname(require.resolve(`${name}/package.json`)), 'bin', 'restate-server')
    return existsSync(file) ? file : undefined
  } catch {
    return undefined
  }
}
