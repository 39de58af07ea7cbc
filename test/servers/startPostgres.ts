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

export async function startPostgres(): Promise<Postgres> {
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
  const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'max_connections=200']
  const server = spawn(path.join(programs, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], {
    ...options,
    stdio: 'ignore',
  })
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  const url = `postgres:///postgres?host=${encodeURIComponent(folder)}&user=test`
  await untilReady(url, ended)
  return {
    url,
    async close() {
      server.kill('SIGQUIT')
      await ended
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
