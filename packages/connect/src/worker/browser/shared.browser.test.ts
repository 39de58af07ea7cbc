import { expect, it, onTestFinished } from 'vitest'
import { workerAgent } from '../index.ts'
import { type Frame, openHere } from './frame.ts'
import frameUrl from './frame.ts?url'

/** The name of one shared worker. Its pages are this one, and frames. */
const name = `shared-${Date.now()}`
const here = openHere(name)
async function openFrame(): Promise<{ frame: Frame; element: HTMLIFrameElement }> {
  const element = document.createElement('iframe')
  element.name = name
  element.srcdoc = `<script type="module" src="${frameUrl}"></script>`
  document.body.append(element)
  onTestFinished(() => element.remove())
  const has = (): Frame | undefined => (element.contentWindow as { frame?: Frame } | null)?.frame
  await expect.poll(has).toBeDefined()
  return { frame: has() as Frame, element }
}

/** A function that never comes to its end, and how often it began. */
function endless() {
  const begun = { times: 0 }
  const perform = (): Promise<never> => {
    begun.times++
    return new Promise(() => {})
  }
  return { begun, perform }
}

it('shows one run in two pages, and either answers', async () => {
  const { frame } = await openFrame()
  const run = here.open().start('call sure')
  await run.settled

  const same = await frame.open().resume(run.id)
  await same.reply(same.state.asks[0]?.id ?? '', true)

  await expect.poll(() => run.state.signal).toMatchObject({ type: 'answer' })
  await expect.poll(() => same.state.seq).toBe(run.state.seq)
  expect(same.state).toEqual(run.state)
})

it('continues when the page that started it is gone', async () => {
  const { frame, element } = await openFrame()
  const { id, settled } = frame.open().start('call sure')
  await settled

  element.remove()
  const run = await here.open().resume(id)
  await run.reply(run.state.asks[0]?.id ?? '', true)

  expect(await run.settled).toMatchObject({ type: 'answer' })
})

it('has another page perform what may happen twice when a page dies in the middle', async () => {
  const { frame, element } = await openFrame()
  const { begun, perform } = endless()
  const { id } = frame.open({ tools: { highlight: perform } }).start('call highlight')
  await expect.poll(() => begun.times).toBe(1)
  const run = await here.open({ tools: { highlight: () => 'here' } }).resume(id)

  element.remove()

  await expect.poll(() => run.state.signal).toMatchObject({ output: expect.stringContaining('here') })
})

it('asks before it does so with what may not', async () => {
  const { frame, element } = await openFrame()
  const { begun, perform } = endless()
  const { id } = frame.open({ tools: { pay: perform } }).start('call pay')
  await expect.poll(() => begun.times).toBe(1)
  const run = await here.open({ tools: { pay: perform } }).resume(id)

  element.remove()
  await expect.poll(() => run.state.signal?.type).toBe('inputNeeded')
  await run.reply('1/tool/0/interruption', 'done')

  await expect.poll(() => run.state.signal?.type).toBe('answer')
  expect(begun.times).toBe(1)
})

it('takes the last word of a page that its own tool closes', async () => {
  const { frame, element } = await openFrame()
  const watching = here.open()
  const pay = (): string => {
    setTimeout(() => element.remove())
    return 'paid'
  }
  const { id } = frame.open({ tools: { pay } }).start('call pay')
  await expect.poll(() => element.isConnected).toBe(false)

  const run = await watching.resume(id)

  expect(await run.settled).toMatchObject({ type: 'answer', output: expect.stringContaining('paid') })
})

it('says that a shared worker could not be loaded', async () => {
  const run = workerAgent(new SharedWorker('/nowhere.js', { type: 'module' }), 'guide').start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'worker_failed' } })
})
