import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent, type Host } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { END, graph, wait } from './index.ts'

const slow = graph({
  name: 'slow',
  nodes: { wait: wait(1_000), done: () => ({ type: 'answer', output: 'done', reason: 'text' }) },
  start: 'wait',
  edges: { wait: 'done', done: END },
})
const described = agent({ name: 'a', model: scriptedModel(), backend: slow })

it('waits for as long as it says, on the clock of the host', async () => {
  const host = manualHost()
  const run = described.start('Go', { host, observers: [laws()] })

  await host.advance(999)
  expect([run.state.signal, host.timers]).toEqual([undefined, 1])
  await host.advance(1)

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'done' })
})

it('waits for what is left after a reload', async () => {
  const host = manualHost()
  const lost = described.start('Go', { host })
  await host.advance(600)

  const run = await described.resume(savedRun(JSON.parse(JSON.stringify(lost.log))), { host })
  await host.advance(400)

  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('waits no longer than it says where the clock is behind after a reload', async () => {
  const host = manualHost()
  await host.advance(50_000)
  const lost = described.start('Go', { host })
  await host.advance(600)
  const behind = manualHost()

  const run = await described.resume(savedRun(JSON.parse(JSON.stringify(lost.log))), { host: behind })
  await behind.advance(1_000)

  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('ends with a stop, and leaves no timer behind', async () => {
  const host = manualHost()
  const run = described.start('Go', { host })
  await host.advance(10)

  await run.stop()

  expect([run.state.signal?.type, host.timers]).toEqual(['stopped', 0])
})

it('continues where the timers of the host are shorter', async () => {
  const manual = manualHost()
  const host: Host = { ...manual, timer: (ms, callback) => manual.timer(Math.min(ms, 300), callback) }
  const run = described.start('Go', { host })

  await manual.advance(999)
  expect(run.state.signal).toBeUndefined()
  await manual.advance(1)

  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses to wait for %s', (ms) => {
  expect(() => wait(ms)).toThrowError(/give milliseconds/)
})
