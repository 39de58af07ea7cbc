import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { untilHealthy } from './untilHealthy.ts'

export interface RestateOptions {
  readonly binary: string
  /** The folder of its data. Its output is in a file beside it, `<folder>.log`. */
  readonly folder: string
  readonly ports: RestatePorts
}

export interface RestatePorts {
  readonly ingress: number
  readonly admin: number
  /** At which its nodes would speak to each other. */
  readonly node: number
}

/** Starts a server of Restate's on this machine. Resolves when it answers. */
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

/** Tells Restate where runs can work. What was there before at this address is replaced. */
export async function register(admin: number, worker: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${admin}/deployments`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uri: `http://127.0.0.1:${worker}/`, force: true }),
  })
  if (!response.ok) throw new Error(`Restate does not take the worker: ${await response.text()}`)
}
