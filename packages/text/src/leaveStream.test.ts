import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { collect } from '@interleave/test-kit/collect'
import { eventually } from '@interleave/test-kit/eventually'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { unknownUsage as usage } from './stepUsage.ts'
import { textMode } from './textMode.ts'

type Part = LanguageModelV4StreamPart

const tools: LanguageModelV4CallOptions['tools'] = [
  { type: 'function', name: 'search', inputSchema: { type: 'object', properties: { query: { type: 'string' } } } },
]
const params: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
  tools,
}
const text = (delta: string): Part => ({ type: 'text-delta', id: '0', delta })

async function partsOf(model: LanguageModelV4): Promise<Part[]> {
  const { stream } = await textMode(model).doStream(params)
  return collect(stream)
}

/** A model whose streams are these, one for each call. */
function modelOf(...streams: readonly (ReadableStream<Part> | Promise<ReadableStream<Part>>)[]) {
  let calls = 0
  const doStream = async () => ({ stream: (await streams[calls++]) ?? new ReadableStream<Part>() })
  return { model: { ...scriptedModel(), doStream } as LanguageModelV4, calls: () => calls }
}

/** A stream of these parts, which does not end. A cancel fails, as of a connection that is gone. */
function openStream(...parts: readonly unknown[]) {
  const seen = { cancelled: false }
  const stream = new ReadableStream<Part>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part as Part)
    },
    cancel() {
      seen.cancelled = true
      throw new Error('It is gone.')
    },
  })
  return { stream, seen }
}

const wrong = { type: 'text-delta', id: '0', delta: 7 }
it.each([
  ['a stream', (model: LanguageModelV4) => partsOf(model)],
  ['a whole turn', (model: LanguageModelV4) => textMode(model).doGenerate(params)],
])('gives up the stream of %s in which a part is wrong, and says what is wrong', async (_, ask) => {
  const { stream, seen } = openStream(wrong)

  await expect(ask(modelOf(stream).model)).rejects.toMatchObject({ code: 'model_malformed' })

  expect(seen.cancelled).toBe(true)
})

it('gives up the stream of a whole turn without tools in which a part is wrong', async () => {
  const { stream, seen } = openStream(wrong)

  await expect(textMode(modelOf(stream).model).doGenerate({ ...params, tools: [] })).rejects.toMatchObject({
    code: 'model_malformed',
  })

  expect(seen.cancelled).toBe(true)
})

const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage } as const
const thought: readonly Part[] = [{ type: 'text-start', id: '0' }, text('> think: I look.'), finish]
function ended(...parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

it('gives up the next stream of a step if its reader left before it came', async () => {
  const { stream: next, seen } = openStream()
  let come = (): void => {}
  const coming = new Promise<ReadableStream<Part>>((resolve) => {
    come = () => resolve(next)
  })
  const { model, calls } = modelOf(ended(...thought), coming)
  const { stream } = await textMode(model, { format: 'alfworld-think' }).doStream(params)
  const reader = stream.getReader()
  const reading = (async () => {
    while (!(await reader.read()).done);
  })()
  await eventually(() => expect(calls()).toBe(2))

  await reader.cancel()
  come()

  await reading
  await eventually(() => expect(seen.cancelled).toBe(true))
})
