import { APICallError, type LanguageModelV4, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, reasonAct } from '@interleave/core'
import { connectPages } from '@interleave/test-kit/connectPages'
import { manualModel } from '@interleave/test-kit/manualModel'
import { untilSettled } from '@interleave/test-kit/untilSettled'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { pageModel, workerHost } from './worker/index.ts'

let names = 0
/** An agent whose model is in pages, and whose name no other test has. */
function thinking(backend = reasonAct({ think: { retryDelayMs: 1 } })) {
  const name = `nano-${names++}`
  const described = agent({ name: 'a', model: pageModel(name, { waitMs: 50 }), backend })
  const pages = connectPages(workerHost([described]))
  return { name, open: (model?: LanguageModelV4) => pages.open('a', model && { models: { [name]: model } }) }
}

it('asks the model of the page, and relays what it streams', async () => {
  const { open } = thinking()
  const model = scriptedModel({ reasoning: 'So.', text: 'Hello you.' })
  const run = open(model).agent.start('Go')
  const deltas: string[] = []
  run.subscribe((event) => event.type === 'delta' && deltas.push(event.delta))

  expect(await run.settled).toMatchObject({ output: 'Hello you.' })
  expect(deltas).toEqual(['So.', 'Hello', ' you.'])
  expect(model.calls[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Go' }] }])
})

const streamOf = (...parts: LanguageModelV4StreamPart[]) =>
  new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
    },
  })

it('passes bytes and addresses on as they are', async () => {
  const { name } = thinking()
  const seen: unknown[] = []
  const file = {
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'url', url: new URL('https://a.test/b') },
  } as const
  const bytes = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2]) } } as const
  const echo: LanguageModelV4 = {
    ...scriptedModel(),
    async doStream({ prompt }) {
      seen.push(prompt)
      return { stream: streamOf(file, bytes) }
    },
  }
  connectPages(workerHost([agent({ name: 'a', model: echo })])).open('a', { models: { [name]: echo } })
  const prompt = [{ role: 'user', content: [file, bytes] }] as never

  const { stream } = await pageModel(name).doStream({ prompt })
  const reader = stream.getReader()

  expect(seen).toEqual([prompt])
  expect([await reader.read(), await reader.read()]).toMatchObject([{ value: file }, { value: bytes }])
})

it('aborts the model of the page when the run is stopped', async () => {
  const { open } = thinking()
  const model = manualModel()
  const run = open(model).agent.start('Go')
  await model.called(1)
  model.say('Half')
  await expect.poll(() => run.state.draft?.text).toBe('Half')

  await run.stop('Enough.')

  await expect.poll(() => model.calls[0]?.abortSignal?.aborted).toBe(true)
  expect(run.state.signal).toMatchObject({ type: 'stopped' })
})

it('aborts the model of the page when the worker is gone', async () => {
  const { open } = thinking()
  const model = manualModel()
  const page = open(model)
  page.agent.start('Go')
  await model.called(1)

  page.kill()

  await expect.poll(() => model.calls[0]?.abortSignal?.aborted).toBe(true)
})

it('reads no further when a part cannot be sent', async () => {
  const { open } = thinking()
  let isCancelled = false
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: (() => {}) as never }),
    cancel() {
      isCancelled = true
    },
  })

  const run = open({ ...scriptedModel(), doStream: async () => ({ stream }) }).agent.start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
  expect(isCancelled).toBe(true)
})

it('keeps what an error says of trying again', async () => {
  const { open } = thinking()
  const options = { url: 'https://a.test', requestBodyValues: {}, message: 'Busy', statusCode: 429 }
  const busy = new APICallError({ ...options, isRetryable: true, responseHeaders: { 'retry-after-ms': '3' } })
  const run = open(scriptedModel(busy, 'Hello.')).agent.start('Go')
  const retries: unknown[] = []
  run.subscribe((event) => event.type === 'retrying' && retries.push(event))

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(retries).toMatchObject([{ inMs: 3, error: { code: 'model_failed', message: 'Busy', status: 429 } }])
})

it('asks the next page when one dies in the middle of a turn', async () => {
  const { open } = thinking()
  const dying = manualModel()
  const first = open(dying)
  const run = first.agent.start('Go')
  await dying.called(1)
  dying.say('Half')
  const second = open(scriptedModel('Whole.'))
  const same = await second.agent.resume(run.id)

  first.kill()

  expect(await same.settled).toMatchObject({ output: 'Whole.' })
})

/** A model that only one page can load: the others wait for it. */
function lockedModel() {
  let holder: unknown
  const ask = (page: unknown, model: LanguageModelV4): LanguageModelV4 => ({
    ...model,
    async doStream(options) {
      holder ??= page
      const { stream } = await model.doStream(options)
      // The stream begins at once, and waits.
      const waiting = new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => controller.enqueue({ type: 'stream-start', warnings: [] }),
      })
      return { stream: holder === page ? stream : waiting }
    },
  })
  const hold = (page: unknown): void => {
    holder = page
  }
  return { ask, hold }
}

it('asks the page whose model has answered, not the one that was used last', async () => {
  const { open } = thinking()
  const { ask } = lockedModel()
  const first = open(ask('first', scriptedModel('One.', 'Two.')))
  await first.agent.start('Go').settled
  const second = open(ask('second', scriptedModel()))

  const run = second.agent.start('Go')

  expect(await run.settled).toMatchObject({ output: 'Two.' })
})

it('asks another page after one whose model never began', async () => {
  const backend = reasonAct({ think: { retryDelayMs: 1, caps: { idleMs: 50 } } })
  const { open } = thinking(backend)
  const { ask, hold } = lockedModel()
  hold('first')
  open(ask('first', scriptedModel('Here.', 'And here.')))
  const second = open(ask('second', scriptedModel('Never.')))

  const run = second.agent.start('Go')
  const signals = [await run.settled]
  await run.say('More')
  signals.push(await run.settled)

  expect(signals).toMatchObject([{ output: 'Here.' }, { output: 'And here.' }])
})

it('fails with what to do where no page has the model', async () => {
  const { open } = thinking()
  const run = open().agent.start('Go')

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'model_failed', retryable: true, message: expect.stringContaining('Open one') },
  })
  open(scriptedModel('Here.'))
  run.resume()
  await untilSettled(run, 'answer')
})

it('reads no further ahead than its reader', async () => {
  const { name } = thinking()
  let given = 0
  const endless: LanguageModelV4 = {
    ...scriptedModel(),
    doStream: async () => ({
      stream: new ReadableStream({
        pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: `${given++}` }),
      }),
    }),
  }
  connectPages(workerHost([agent({ name: 'a', model: endless })])).open('a', { models: { [name]: endless } })
  const { stream } = await pageModel(name).doStream({ prompt: [] })
  const reader = stream.getReader()

  await expect.poll(() => given).toBeGreaterThan(60)
  for (let part = 0; part < 500; part++) await reader.read()

  await expect.poll(() => given).toBeGreaterThan(530)
  expect(given).toBeLessThan(600)
  await reader.cancel()
})

it('generates without a stream too', async () => {
  const { name } = thinking()
  const content = [{ type: 'text', text: 'Hi.' }]
  const model = {
    ...scriptedModel(),
    doGenerate: async () => ({ content, warnings: [], response: { body: () => {} } }),
  }
  const described = agent({ name: 'a', model: scriptedModel() })
  connectPages(workerHost([described])).open('a', { models: { [name]: model as never } })

  expect(await pageModel(name).doGenerate({ prompt: [] })).toEqual({ content, warnings: [] })
})

it('passes on errors of any shape', async () => {
  const { open } = thinking()
  const cut = Object.assign(new Error('cut'), { name: 'AI_APICallError', statusCode: 200, isRetryable: true })
  const errors = [[{ type: 'error', error: { code: 529, message: 'Overloaded' } }], cut] as const
  const run = open(scriptedModel(...(errors as never as string[]), 'Hello.')).agent.start('Go')
  const retries: unknown[] = []
  run.subscribe((event) => event.type === 'retrying' && retries.push(event.error))

  expect(await run.settled).toMatchObject({ output: 'Hello.' })
  expect(retries).toMatchObject([{ message: 'Overloaded', status: 529 }, { code: 'model_incomplete' }])
})
