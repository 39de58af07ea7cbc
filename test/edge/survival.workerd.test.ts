// Kills the process, and objects, in the middle of runs that do things in the world: nothing is lost, and nothing is done twice
// but what may be. EDGE_KILLS takes another number of deaths, EDGE_SEED the same numbers again.

import { createRandom } from '@interleave/core/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, openEdge } from './openEdge.ts'
import { type Done, openPerson } from './openPerson.ts'

const { EDGE_KILLS = '200', EDGE_SEED = `${Date.now() % 1_000_000}` } = process.env
const random = createRandom(Number(EDGE_SEED))
const names = ['look', 'charge', 'book', 'choose'] as const
const runs = 8

let edge: Edge

beforeAll(async () => {
  edge = await openEdge({ modelMs: 10, deedMs: 20, watchMs: 200 })
}, 60_000)
afterAll(() => edge?.end())

const scriptOf = (): string => Array.from({ length: 10 }, () => names[Math.floor(random() * names.length)]).join(' ')
const countOf = (list: readonly string[]): Record<string, number> =>
  Object.fromEntries([...new Set(list)].sort().map((name) => [name, list.filter((each) => each === name).length]))

test('nothing is lost and nothing done twice, whenever objects and processes die', { timeout: 600_000 }, async () => {
  const kills = Number(EDGE_KILLS)
  const person = openPerson({ name: 'ida', url: edge.workerd.url, world: edge.world })
  const done: (Done & { readonly said: string })[] = []
  let deaths = 0
  let begun = 0
  const goOn = async (isWatched: boolean): Promise<void> => {
    while (deaths < kills) {
      const said = `r${begun++} ${scriptOf()}`
      done.push({ said, ...(await (isWatched ? person.watch(said) : person.leave(said))) })
    }
  }
  const dying = async (): Promise<void> => {
    for (; deaths < kills; deaths++) {
      await new Promise((resolve) => setTimeout(resolve, 10 + random() * 80))
      if (random() < 0.3) await edge.workerd.killAndStart()
      else {
        const { key = '' } = edge.world.deeds.at(-1 - Math.floor(random() * runs)) ?? {}
        const [by = '', id = ''] = key.split('/')
        await edge.abort(by, id)
      }
    }
  }
  await Promise.all([dying(), ...Array.from({ length: runs }, (_, index) => goOn(index % 2 === 0))])

  for (const { id, said, output, seqs } of done) {
    const [, ...script] = said.split(' ')
    const deeds = edge.world.deeds.filter(({ key }) => key.includes(id))
    const acts = (list: readonly string[]) => countOf(list.filter((name) => name !== 'look'))
    expect(output, EDGE_SEED).toBe(`${said} is done.`)
    expect(acts(deeds.map(({ name }) => name)), `${said} with EDGE_SEED=${EDGE_SEED}`).toEqual(acts(script))
    expect(seqs, EDGE_SEED).toEqual(seqs.map((_, index) => index))
  }
  // What a list was not told of while one of the two was dead, it was told later.
  const listed = async () => {
    const { runs: list } = (await (await edge.ask('ida', 'runs?limit=100')).json()) as { runs: { rest?: string }[] }
    return list.map(({ rest }) => rest)
  }
  await expect.poll(listed, { timeout: 5_000 }).toEqual(done.slice(0, 100).map(() => 'answer'))
  console.info(`${kills} deaths in ${done.length} runs with ${edge.world.deeds.length} deeds`)
})
