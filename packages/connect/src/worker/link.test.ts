import { agent } from '@interleave/core'
import { connectPages } from '@interleave/test-kit/connectPages'
import { manualModel } from '@interleave/test-kit/manualModel'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { workerAgent, workerHost } from './index.ts'

const a = agent({ name: 'a', model: scriptedModel('One.', 'Two.') })

it('fails where the worker has no agent of that name, and says which it has', async () => {
  const { agent: b } = connectPages(workerHost([a])).open('b')

  const run = b.start('Go')

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'worker_failed', message: 'The worker has no agent "b". Its workerHost() has: a.' },
  })
  expect(run.state.history.flat()).toEqual([])
  expect(run.state.pending).toMatchObject([{ content: 'Go' }])
  await expect(b.resume('x')).rejects.toMatchObject({ code: 'worker_failed' })
})

it('fails where page and worker are of different versions', async () => {
  const { port1, port2 } = new MessageChannel()
  workerHost([a]).connect(port2)
  const own = new MessageChannel()
  const answer = new Promise<unknown>((resolve) => {
    own.port1.onmessage = ({ data }) => resolve(data)
  })

  port1.postMessage({ type: 'interleave', protocol: 99, anything: true }, [own.port2])

  expect(await answer).toMatchObject({ type: 'refused', failure: { message: expect.stringContaining('version 99') } })
  own.port1.close()
})

it('fails if there is no answer', async () => {
  const host = manualHost()
  const { port1 } = new MessageChannel()
  const run = workerAgent(port1, 'a', { host }).start('Go')
  await expect.poll(() => host.timers).toBe(2)

  await host.advance(30_000)

  expect(await run.settled).toMatchObject({ error: { message: expect.stringContaining('workerHost()') } })
})

it('greets a worker again that missed the first greeting', async () => {
  const host = manualHost()
  const { port1, port2 } = new MessageChannel()
  const dropped = Object.assign(port1, { postMessage: () => {} })
  const run = workerAgent(dropped, 'a', { host }).start('Go')
  await expect.poll(() => host.timers).toBe(2)
  workerHost([a]).connect(port2)
  Object.assign(port1, { postMessage: MessagePort.prototype.postMessage })

  await host.advance(1_000)

  expect(await run.settled).toMatchObject({ output: expect.any(String) })
  port1.close()
})

it('fails where the worker cannot be loaded', async () => {
  const worker = Object.assign(new EventTarget(), { postMessage: () => {} })
  const run = workerAgent(worker as never, 'a').start('Go')

  worker.dispatchEvent(Object.assign(new Event('error'), { message: 'Unexpected token' }))

  expect(await run.settled).toMatchObject({
    error: { code: 'worker_failed', message: expect.stringContaining('Unexpected token') },
  })
})

it('fails what works when the worker dies, and leaves alone what settles', async () => {
  const model = manualModel()
  const page = connectPages(workerHost([agent({ name: 'a', model })])).open('a')
  const settledRun = page.agent.start('1')
  await model.called(1)
  model.say('One.')
  model.end()
  await settledRun.settled
  const works = page.agent.start('2')
  await model.called(2)

  page.kill()

  expect(await works.settled).toMatchObject({ type: 'failed', error: { code: 'worker_failed', retryable: true } })
  expect(settledRun.state.signal).toMatchObject({ type: 'answer' })
  await expect(settledRun.say('More')).rejects.toMatchObject({ code: 'worker_failed' })
})

it('refuses what makes no sense, where it is said', () => {
  const { agent: page } = connectPages(workerHost([a])).open('a')

  expect(() => page.start('')).toThrow('not empty')
  expect(() => page.start('Go', { id: '' })).toThrow('`id` of a run')
  expect(() => workerHost([a, a])).toThrow('same name')
  expect(() => workerHost([])).toThrow('needs an agent')
  expect(() => workerHost([undefined as never])).toThrow('The agent of workerHost() must be')
  expect(() => workerHost(undefined as never)).toThrow('needs a list of agents')
})

it('fails the runs of a page that may not create its worker, and throws nothing', async () => {
  const a = workerAgent(() => {
    throw new DOMException('The operation is insecure', 'SecurityError')
  }, 'a')

  const run = a.start('Go')

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: {
      code: 'worker_failed',
      message: expect.stringContaining('The worker could not be created: The operation is insecure.'),
    },
  })
  await expect(a.resume('x')).rejects.toMatchObject({ code: 'worker_failed' })
})
