import { execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { findPostgres } from './findPostgres.ts'

/** A PostgreSQL of its own for a test, empty at first. */
export interface Postgres {
  readonly url: string
  /** Its socket, for a front. */
  readonly socket: string
  /** Ends it as a crash does, and starts it again after so many milliseconds. */
  restart(downMs: number): Promise<void>
  close(): Promise<void>
}

/** PostgreSQL does not run as root: then it is another user's. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  const found = lines.find((line) => line.startsWith('postgres:')) ?? lines.find((line) => line.startsWith('nobody:'))
  const [, , uid, gid] = (found ?? '').split(':').map(Number)
  return { uid: uid || 65_534, gid: gid || 65_534 }
}

/** Starts it for so many connections at most. */
export async function startPostgres(connections = 200): Promise<Postgres> {
  const programs = await findPostgres()
  const user = unprivileged()
  const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'))
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const locale = ['--locale=C', '--encoding=UTF8']
  const options = { ...user, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  execFileSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'test', '-A', 'trust', '--no-sync', ...locale],
    options,
  )
  // On a socket of its own, so that it needs no port.
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, `max_connections=${connections}`]
  const url = `postgres:///postgres?host=${encodeURIComponent(folder)}&user=test`
  const start = async (): Promise<() => Promise<void>> => {
    const line = ['-D', data, ...settings.flatMap((each) => ['-c', each])]
    const server = spawn(path.join(programs, 'postgres'), line, { ...options, stdio: 'ignore' })
    const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
    await untilReady(url, ended)
    return () => {
      server.kill('SIGQUIT')
      return ended
    }
  }
  let end = await start()
  return {
    url,
    socket: path.join(folder, '.s.PGSQL.5432'),
    async restart(downMs) {
      await end()
      await pause(downMs)
      end = await start()
    },
    async close() {
      await end()
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

async function untilReady(url: string, ended: Promise<void>): Promise<void> {
  const gone = ended.then(() => {
    throw new Error('PostgreSQL did not start.')
  })
  for (;;) {
    const client = new pg.Client(url)
    try {
      await client.connect()
      return await client.end()
    } catch {
      await Promise.race([pause(50), gone])
    }
  }
}
