import { indexedDbJournal } from '@interleave/core/indexeddb'
import { scriptedModel } from '@interleave/testing'
import { expect, it, onTestFinished } from 'vitest'
import { workerAgent } from '../index.ts'
import type { guide, highlight, local, pay } from './guide.worker.ts'

function startWorker(): Worker {
  const worker = new Worker(new URL('./guide.worker.ts', import.meta.url), { type: 'module' })
  onTestFinished(() => worker.terminate())
  return worker
}
/** A worker has to be loaded, by a machine that may be slow. */
//DEL
type Tools = { highlight: typeof highlight; pay: typeof pay }

it('asks a user and continues with the answer', async () => {
  const run = workerAgent<typeof guide>(startWorker(), 'guide').start('call sure')

  const first = await run.settled
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  expect(await run.settled).toMatchObject({ type: 'answer', output: expect.stringContaining('true') })
})

it('performs a tool on the document', async () => {
  const tools = { highlight: () => document.title.slice(0, 0) + document.nodeName }
  const run = workerAgent<typeof guide, Tools>(startWorker(), 'guide', { tools }).start('call highlight')

  expect(await run.settled).toMatchObject({ output: expect.stringContaining('#document') })
})

it('asks a model of the page', async () => {
  const models = { nano: scriptedModel('Hello from the page.') }
  const run = workerAgent<typeof local>(startWorker(), 'local', { models }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Hello from the page.' })
})

it('comes back from the journal in a new worker when its own is terminated', async () => {
  const worker = startWorker()
  const run = workerAgent<typeof guide>(worker, 'guide').start('call sure')
  await run.settled

  worker.terminate()
  await expect.poll(async () => run.stop().catch(({ code }) => code)).toBe('worker_failed')
  const again = await workerAgent<typeof guide>(startWorker(), 'guide').resume(run.id)
  await again.reply(again.state.asks[0]?.id ?? '', true)

  expect(await again.settled).toMatchObject({ type: 'answer' })
})

it('shows that its worker crashed', async () => {
  const run = workerAgent<typeof guide>(startWorker(), 'guide').start('call crash')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'worker_failed' } })
})

it('says that a worker could not be loaded', async () => {
  const worker = new Worker(new URL('/nowhere.js', location.href), { type: 'module' })

  const run = workerAgent(worker, 'guide').start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'worker_failed' } })
})

it('lets a page that watches the journal see what runs of the worker do', async () => {
  const journal = indexedDbJournal({ name: 'worker-test' })
  const seen: unknown[] = []
  const look = async (): Promise<void> => {
    const mine = (await journal.list()).find(({ runId }) => runId === run.id)
    if (seen.at(-1) !== mine?.signal) seen.push(mine?.signal)
  }
  const leave = journal.watch(() => void look())
  onTestFinished(leave)
  const run = workerAgent<typeof guide>(startWorker(), 'guide').start('call sure')

  const first = await run.settled
  await expect.poll(() => seen).toContain('inputNeeded')
  if (first.type === 'inputNeeded') await run.reply(first.asks[0].id, true)

  await expect.poll(() => seen.at(-1)).toBe('answer')
})
