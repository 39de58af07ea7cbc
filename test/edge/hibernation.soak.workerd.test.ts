// Runs that wait for a person while nothing of them is in memory.

import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Edge, openEdge } from './openEdge.ts'

let edge: Edge

beforeAll(async () => {
  edge = await openEdge({})
})
afterAll(() => edge?.end())

/** A Durable Object leaves memory after ten seconds without work. A busy machine may take longer. */
const untilIdle = () => new Promise((resolve) => setTimeout(resolve, 17_000))
const attempts = 4

/** A run that waits for an answer, and a page that looks at it. */
async function waiting(by: string, said: string, tools = {}) {
  const run = edge.doer(by, tools).start(said)
  const seqs: number[] = []
  run.subscribe((event) => 'seq' in event && seqs.push(event.seq))
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  const [ask] = run.state.asks
  return { run, seqs, ask: ask?.id ?? '', life: await edge.lifeOf(by, run.id) }
}

test('leaves memory although a page looks, and the page learns of all that follows', async () => {
  for (let attempt = 1; ; attempt++) {
    const marked: number[] = []
    const mark = ({ item }: { item: number }) => marked.push(item)
    const runs = [
      await waiting('hal', 'one choose charge'),
      await waiting('hal', 'other choose mark', { mark }),
    ] as const
    await untilIdle()
    for (const { run, ask } of runs) await run.reply(ask, 'aisle')

    const left = []
    for (const { run, seqs, life } of runs) {
      expect(await run.settled).toMatchObject({ type: 'answer' })
      left.push((await edge.lifeOf('hal', run.id)) !== life)
      expect(seqs).toEqual(seqs.map((_, index) => index))
      run.close()
    }
    // The page was there all the time: no other page was asked for.
    expect(marked).toEqual([1])
    expect(runs[0].seqs).toEqual(runs[1].seqs)
    if (left.every(Boolean)) return
    expect(attempt, 'objects that stayed in memory').toBeLessThan(attempts)
  }
})

test('waits over deaths of the process, and continues with the answer', async () => {
  const { run, seqs, ask } = await waiting('ivy', 'waits choose charge')
  for (let deaths = 0; deaths < 3; deaths++) await edge.workerd.killAndStart()
  await run.reply(ask, 'window')

  expect(await run.settled).toMatchObject({ output: 'waits choose charge is done.' })
  expect(edge.deedsOf(run.id)).toEqual(['choose', 'charge'])
  expect(seqs).toEqual(seqs.map((_, index) => index))
  run.close()
})
