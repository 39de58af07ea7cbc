import { agent, confirm, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { connectPages } from '@interleave/test-kit/connectPages'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Hello } from './hello.ts'
import { HostedRuns } from './hostedRuns.ts'
import { type HostPort, workerAgent, workerHost } from './index.ts'
import { PageSession } from './pageSession.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const asking = agent({
  name: 'a',
  model: scriptedModel(...Array.from({ length: 9 }, () => ({ calls: [{ name: 'ask', input: {} }] }))),
  tools: { ask },
})
const openPage = (described = asking) => connectPages(workerHost([described])).open('a').agent

it('continues a run in the worker that is closed in the page', async () => {
  const model = manualModel()
  const a = openPage(agent({ name: 'a', model }))
  const run = a.start('Go', { id: 'r' })
  await model.called(1)

  run.close()
  const rest = await run.settled
  const again = await a.resume('r')
  model.say('Done.')
  model.end()

  expect(rest).toMatchObject({ type: 'stopped', reason: expect.stringContaining('resume()') })
  expect(again).not.toBe(run)
  expect(await again.settled).toMatchObject({ output: 'Done.' })
  expect(run.state.signal).toBe(rest)
  expect(model.calls).toHaveLength(1)
})

it('refuses commands once it is closed, and leaves its rest as it is', async () => {
  const a = openPage()
  const run = a.start('Go')
  const rest = await run.settled

  run.close()

  await expect(run.say('More')).rejects.toMatchObject({ code: 'stopped' })
  await expect(run.reply('1/tool/0/ask/0', true)).rejects.toMatchObject({ code: 'stopped' })
  await expect(run.stop()).rejects.toMatchObject({ code: 'stopped' })
  expect(await run.settled).toBe(rest)
  expect((await a.resume(run.id)).state.asks).toHaveLength(1)
})

it('rejects pending requests', async () => {
  const a = openPage(agent({ name: 'a', model: manualModel() }))
  const run = a.start('Go')
  await a.resume(run.id)
  const saying = run.say('More')
  const settled = run.settled

  run.close()

  await expect(saying).rejects.toMatchObject({ code: 'stopped' })
  expect(await settled).toMatchObject({ type: 'stopped' })
})

it('is closed once', async () => {
  const a = openPage()
  const first = a.start('Go')
  await first.settled
  let settledCount = 0
  first.subscribe(({ type }) => type === 'settled' && settledCount++)

  first.close()
  const second = await a.resume(first.id)
  first.close()

  expect(settledCount).toBe(0)
  expect(await a.resume(first.id)).toBe(second)
  await second.reply('1/tool/0/ask/0', true)
})

it('closes a run that the worker does not know yet', async () => {
  const a = openPage()
  const run = a.start('Go', { id: 'r' })

  run.close()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  expect(run.state.pending).toMatchObject([{ content: 'Go' }])
  const again = await a.resume('r')
  expect(await again.settled).toMatchObject({ type: 'inputNeeded' })
})

it('gives who waits to join a run that is closed meanwhile a new one', async () => {
  const a = openPage()
  const run = a.start('Go')
  await run.settled
  const joining = [a.resume(run.id), a.resume(run.id)]

  run.close()

  const [one, two] = await Promise.all(joining)
  expect(one).not.toBe(run)
  expect(two).toBe(one)
  expect(one?.state.asks).toHaveLength(1)
})

it('opens a run that is closed and resumed in turns while many events arrive', async () => {
  const model = manualModel()
  const a = openPage(agent({ name: 'a', model }))
  let run = a.start('Go')
  await model.called(1)

  for (let times = 0; times < 9; times++) {
    model.say('.')
    await Promise.resolve()
    run.close()
    run = await a.resume(run.id)
  }
  model.end()

  expect(await run.settled).toMatchObject({ output: '.........' })
})

it('may be resumed by the listener that learns that it is closed', async () => {
  const model = manualModel()
  const a = openPage(agent({ name: 'a', model }))
  const run = a.start('Go')
  await model.called(1)
  const again = new Promise((resolve) => {
    run.subscribe(({ type }) => type === 'settled' && resolve(a.resume(run.id)))
  })

  run.close()

  expect(await again).toMatchObject({ id: run.id, state: { signal: undefined } })
})

it('is sent to a page no longer, nor counted as shown, and is released once it is answered and durable', async () => {
  const model = manualModel()
  const { a, runs, told } = serve(agent({ name: 'a', model }), memoryJournal())
  const run = a.start('Go', { id: 'r' })
  await model.called(1)
  await expect.poll(() => run.state.draft).toBeDefined()
  run.close()
  await expect.poll(() => runs.isUsed('r')).toBe(false)

  const before = told.length
  const isAlive = runs.findItem('r') !== undefined
  model.say('Done.')
  model.end()
  await expect.poll(() => runs.findItem('r')).toBeUndefined()

  expect(isAlive).toBe(true)
  expect(told.slice(before).filter((type) => type === 'events')).toEqual([])
  expect((await a.resume('r')).state.signal).toMatchObject({ output: 'Done.' })
})

it('leaves its name free in the page', async () => {
  const a = openPage()
  const run = a.start('Go', { id: 'r' })
  await run.settled

  run.close()

  expect(() => a.start('Go', { id: 'r' })).toThrow('already')
  // The worker has answered by then.
  await expect(a.resume('other')).rejects.toMatchObject({ code: 'run_unknown' })
  expect(await a.start('Go', { id: 'r' }).settled).toMatchObject({ error: { code: 'journal_conflict' } })
})

/** A page and its worker, looked into. */
function serve(described: typeof asking, journal: Journal | undefined) {
  const told: string[] = []
  const runs = new HostedRuns(journal)
  const worker: HostPort & { postMessage(hello: Hello, ports: MessagePort[]): void } = {
    addEventListener() {},
    postMessage(hello, [port]) {
      if (!port) return
      const post = port.postMessage.bind(port)
      port.postMessage = (message: { type: string }) => {
        told.push(message.type)
        post(message)
      }
      new PageSession({ port, lock: undefined }, { hello, agent: described, runs })
      post({ type: 'welcome' })
    },
  }
  return { a: workerAgent(worker as never, 'a'), runs: runs.registry, told }
}
