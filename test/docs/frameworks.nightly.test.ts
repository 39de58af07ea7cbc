import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { remoteAgent } from '@interleave/connect/http'
import type { Agent } from '@interleave/core'
import { afterAll, expect, it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { installedRuntime } from '../processes/installedRuntime.ts'
import { moduleNamed, writeModules } from './modules.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'frameworks-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const programs = writeModules('frameworks')
const conditions = '--conditions=@interleave/source'

interface Started {
  /** Its program among those of the page. */
  readonly block: string
  readonly command: () => Promise<readonly [string, ...string[]]>
  /** The path at which the handler is mounted. */
  readonly below?: string
}

const servers: Readonly<Record<string, Started>> = {
  Hono: { block: 'docs/frameworks.md 3', below: '/api', command: async () => [process.execPath, conditions] },
  Express: { block: 'docs/frameworks.md 4', below: '/api', command: async () => [process.execPath, conditions] },
  Node: { block: 'docs/frameworks.md 7', command: async () => [process.execPath, conditions] },
  Bun: { block: 'docs/frameworks.md 5', command: async () => [await installedRuntime('bun'), conditions] },
  Deno: {
    block: 'docs/frameworks.md 6',
    command: async () => [
      await installedRuntime('deno'),
      'run',
      '-A',
      '--no-check',
      '--node-modules-dir=manual',
      conditions,
    ],
  },
}

it.each(Object.keys(servers))('serves a run with %s, as its program says', async (name) => {
  const { block, command, below = '' } = servers[name] as Started
  const file = path.join(name === 'Bun' ? programsOfBun() : programs, moduleNamed(block).path)
  if (name === 'Deno') withGlobalDeno(file)
  const port = await freePort()
  const [program, ...options] = await command()
  const env = { ...process.env, PORT: `${port}`, RUNS: path.join(folder, `${name}.db`) }
  const server = spawn(program, [...options, file], { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let problems = ''
  server.stderr.on('data', (text) => {
    problems += text
  })
  try {
    const url = `http://localhost:${port}${below}`
    await untilServed(url, () => server.exitCode !== null && problems)
    const guide = remoteAgent<Agent<string>>({ url, name: 'guide', headers: { authorization: 'ada' } })

    expect(await guide.start('What is open?').settled).toMatchObject({ type: 'answer', output: 'Open on Monday.' })
    expect((await fetch(`${url}/v1/runs`)).status).toBe(401)
  } finally {
    server.kill()
    if (server.exitCode === null) await once(server, 'exit')
  }
})

it('answers as a route of Next', async () => {
  const { GET } = await import(path.join(programs, moduleNamed('docs/frameworks.md 2').path))

  const response = await GET(new Request('http://localhost/api/v1/runs', { headers: { authorization: 'ada' } }))

  expect(await response.json()).toMatchObject({ runs: [] })
})

/** Deno is a global of Deno, and a name of the prelude elsewhere. */
function withGlobalDeno(file: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(/import \{ Deno \} from '[^']+';/, ''))
}

/** The programs with the SQLite of Bun, as the page says. */
function programsOfBun(): string {
  const written = writeModules('frameworks-bun')
  const file = path.join(written, moduleNamed('docs/frameworks.md 1').path)
  const bun = readFileSync(file, 'utf8').replace(
    "{ DatabaseSync } from 'node:sqlite'",
    "{ Database } from 'bun:sqlite'",
  )
  writeFileSync(file, bun.replace('new DatabaseSync(', 'new Database('))
  return written
}

async function untilServed(url: string, failure: () => string | false): Promise<void> {
  for (;;) {
    const answered = await fetch(url).catch(() => undefined)
    if (answered) return
    const why = failure()
    if (why) throw new Error(why)
    await pause(100)
  }
}
