import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findProgram } from '../../scripts/find-programs.mjs'
import { freePort } from './freePorts.ts'

export type FrontKind = 'nginx' | 'haproxy' | 'caddy'

/** A web server in front of a server, which speaks HTTP/2 with browsers. */
export interface Front {
  readonly url: string
  readonly port: number
  close(): Promise<void>
}

export interface FrontOptions {
  /** The number of requests at once in a connection; the program's own by default. */
  readonly streams?: number | undefined
  /** The port of another server: requests are routed by the run in their path. */
  readonly otherPort?: number | undefined
}

interface Place extends FrontOptions {
  readonly folder: string
  readonly port: number
  readonly upstreamPort: number
}

interface Program {
  /** Its arguments, and its configuration with the part that the docs print. */
  readonly args: (folder: string) => readonly string[]
  configure(printed: string, place: Place): string
  /** Returns the configuration for several servers, of what the docs print for one and for several. */
  route(printed: string, routing: string): string
}

/** The ones that are on this machine: all, in continuous integration. */
export const frontsHere = (['nginx', 'haproxy', 'caddy'] as const).filter(
  (kind) => findProgram(kind) !== undefined && findProgram('openssl') !== undefined,
)

/** Starts a web server as `docs/serving.md` configures it, but for its addresses and its certificate. */
export async function startFront(kind: FrontKind, upstreamPort: number, options: FrontOptions = {}): Promise<Front> {
  const folder = await mkdtemp(path.join(tmpdir(), `${kind}-`))
  const port = await freePort()
  createCertificate(folder)
  const { args, configure, route } = programs[kind]
  const [printed = '', routing = ''] = printedIn(kind)
  const { otherPort } = options
  const chosen = otherPort ? replaced(route(printed, routing), { '127.0.0.1:3001': `127.0.0.1:${otherPort}` }) : printed
  await writeFile(path.join(folder, 'front.conf'), configure(chosen, { folder, port, upstreamPort, ...options }))
  const front = spawn(findProgram(kind) ?? '', args(folder), {
    cwd: folder,
    stdio: 'ignore',
    env: { ...process.env, HOME: folder },
  })
  await untilListening(front, port)
  return {
    url: `https://localhost:${port}`,
    port,
    async close() {
      const ended = new Promise((resolve) => front.once('exit', resolve))
      front.kill('SIGKILL')
      await ended
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Returns the blocks of code that the docs print for a program: for one server, and for several. */
function printedIn(kind: FrontKind): readonly string[] {
  const page = readFileSync(path.join(import.meta.dirname, '../../docs/serving.md'), 'utf8')
  const blocks = [...page.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\``, 'gm'))]
  if (blocks.length !== 2) throw new Error(`docs/serving.md prints ${blocks.length} configurations of ${kind}.`)
  return blocks.map(([, printed = '']) => printed)
}

/** Returns the lines before one, which must be there. */
function before(printed: string, line: string): string {
  const end = printed.indexOf(`\n${line}\n`)
  if (end < 0) throw new Error(`docs/serving.md does not print "${line}" any more.`)
  return printed.slice(0, end + 1)
}

/** Replaces what the docs print, which must be there. */
function replaced(printed: string, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`docs/serving.md does not print "${from}" any more.`)
    return text.replaceAll(from, to)
  }, printed)
}

const programs: Readonly<Record<FrontKind, Program>> = {
  nginx: {
    args: (folder) => ['-p', folder, '-c', 'front.conf', '-e', 'error.log'],
    route: (printed, routing) =>
      before(routing, 'server {') + replaced(printed, { 'http://127.0.0.1:3000': 'http://agents' }),
    configure: (printed, { folder, port, upstreamPort, streams }) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  ${streams ? `http2_max_concurrent_streams ${streams};` : ''}
${replaced(printed, {
  'listen 443': `listen 127.0.0.1:${port}`,
  'app.example.com': 'localhost',
  '/etc/ssl/app.pem': `${folder}/cert.pem`,
  '/etc/ssl/app.key': `${folder}/key.pem`,
  '127.0.0.1:3000': `127.0.0.1:${upstreamPort}`,
})}
}
`,
  },
  haproxy: {
    args: () => ['-f', 'front.conf'],
    route: (printed, routing) => before(printed, 'backend agents') + routing,
    configure: (printed, { folder, port, upstreamPort }) =>
      replaced(printed, {
        ':443': `127.0.0.1:${port}`,
        '/etc/ssl/app-and-key.pem': `${folder}/both.pem`,
        '127.0.0.1:3000': `127.0.0.1:${upstreamPort}`,
      }),
  },
  caddy: {
    args: () => ['run', '--adapter', 'caddyfile', '--config', 'front.conf'],
    route: (_, routing) => routing,
    configure: (printed, { folder, port, upstreamPort }) =>
      `{\n  admin off\n  auto_https disable_redirects\n}\n${replaced(printed, {
        'app.example.com {': `https://localhost:${port} {\n  tls ${folder}/cert.pem ${folder}/key.pem`,
        '127.0.0.1:3000': `127.0.0.1:${upstreamPort}`,
      })}`,
  },
}

function createCertificate(folder: string): void {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', 'key.pem', '-out', 'cert.pem']
  execFileSync(findProgram('openssl') ?? '', ['req', '-x509', '-nodes', ...key, '-subj', '/CN=localhost'], {
    cwd: folder,
    stdio: 'ignore',
  })
  execFileSync('sh', ['-c', 'cat cert.pem key.pem > both.pem'], { cwd: folder })
}

async function untilListening(front: ChildProcess, port: number): Promise<void> {
  while (!(await isListening(port)))
    if (front.exitCode !== null) throw new Error(`${front.spawnargs.join(' ')} did not start.`)
}

const isListening = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 20, false))
  })
