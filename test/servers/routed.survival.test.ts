// Two servers behind a proxy that sends all requests of a run to the same one, by its id in the path. Pages run tools.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { remoteAgent } from '@interleave/connect/http'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bundleProgram } from '../processes/bundleProgram.ts'
import { freePorts } from '../processes/freePorts.ts'
import { kill } from '../processes/kill.ts'
import type { pay as Pay, payer as Payer } from './clientToolServer.ts'

let folder: string
let ports: readonly number[]
let servers: readonly ChildProcess[]

beforeAll(async () => {
  const file = await bundleProgram(path.join(import.meta.dirname, 'clientToolServer.ts'))
  folder = await mkdtemp(path.join(tmpdir(), 'interleave-routed-'))
  ports = await freePorts(2)
  const start = async (port: number): Promise<ChildProcess> => {
    const env = { ...process.env, DATABASE: path.join(folder, 'runs.db'), PORT: `${port}` }
    const server = fork(file, { execArgv: [], env })
    await once(server, 'message')
    return server
  }
  servers = await Promise.all(ports.map(start))
})
afterAll(async () => {
  await Promise.all(servers.map((server) => kill(server)))
  await rm(folder, { recursive: true, force: true })
})

/** Returns the server of a path: that of the run, whose id is a random number. */
function portOf(pathname: string): number | undefined {
  const [, id = '0'] = /\/v1\/runs\/([^/]+)/.exec(pathname) ?? []
  return ports[Number.parseInt(id.slice(-1), 16) % 2]
}

function openPage() {
  const paid: string[] = []
  const used = new Set<number | undefined>()
  const payer = remoteAgent<typeof Payer, { pay: typeof Pay }>({
    url: 'http://front.test/api',
    name: 'payer',
    tools: {
      pay: (_, { idempotencyKey }) => {
        paid.push(idempotencyKey)
        return 'paid'
      },
    },
    fetch(url, init) {
      const { pathname, search } = new URL(url)
      used.add(portOf(pathname))
      return fetch(`http://127.0.0.1:${portOf(pathname)}${pathname}${search}`, init)
    },
  })
  return { payer, paid, used }
}

const idsOf = (count: number, first: string): readonly string[] =>
  Array.from({ length: count }, (_, index) => first.repeat(31) + index.toString(16))

it('lets a page run the tools of its runs, whichever server has them, and asks nothing', async () => {
  const { payer, paid, used } = openPage()
  const runs = idsOf(6, 'a').map((id) => payer.start('Pay', { id }))

  const settled = await Promise.all(runs.map((run) => run.settled))

  expect(settled.map((rest) => ('output' in rest ? rest.output : rest))).toEqual(runs.map(() => 'Paid.'))
  expect(paid).toHaveLength(6)
  expect(used.size).toBe(2)
  for (const run of runs) run.close()
})

it('lets a page run the tools of a fork, which another server may have', async () => {
  const { payer, paid } = openPage()
  const [of = '', ...ids] = idsOf(3, 'b')
  const run = payer.start('Pay', { id: of })
  await run.settled

  const fork = async (id: string) => {
    await payer.fork?.(of, { id, at: 1, edit: { content: 'Pay again' } })
    return payer.resume(id)
  }
  const forks = await Promise.all(ids.map(fork))
  const settled = await Promise.all(forks.map((each) => each.settled))

  expect(settled).toMatchObject([{ output: 'Paid.' }, { output: 'Paid.' }])
  expect(forks.flatMap(({ log }) => log).filter(({ type }) => type === 'asked')).toEqual([])
  expect(paid).toHaveLength(3)
  for (const each of [run, ...forks]) each.close()
})
