import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2StreamPart,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3StreamPart,
} from '@ai-sdk/provider'
import { agent } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { isStepCount, tool as sdkTool, streamText } from 'ai'
import { afterEach, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { languageModel } from './index.ts'

globalThis.AI_SDK_LOG_WARNINGS = false
afterEach(() => {
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})

const streamOf = <T>(parts: readonly T[]): ReadableStream<T> =>
  new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
const begin = [
  { type: 'response-metadata', id: 'r', modelId: 'old' },
  { type: 'reasoning-start', id: '0' },
  { type: 'reasoning-delta', id: '0', delta: 'Hm.' },
  { type: 'reasoning-end', id: '0', providerMetadata: { old: { signature: 'sig' } } },
] as const
const call = [
  { type: 'tool-input-start', id: 'c', toolName: 'look' },
  { type: 'tool-input-delta', id: 'c', delta: '{"at":"x"}' },
  { type: 'tool-input-end', id: 'c' },
  { type: 'tool-call', toolCallId: 'c', toolName: 'look', input: '{"at":"x"}' },
] as const
const answer = [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'Seen.' },
  { type: 'text-end', id: '0' },
] as const
const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example' } as const
const file = { type: 'file', mediaType: 'image/png', data: 'AAAA' } as const

const base = {
  provider: 'old',
  modelId: 'old',
  supportedUrls: {},
  doGenerate: () => Promise.reject(new Error('It only streams.')),
}

function modelV2(prompts: LanguageModelV2CallOptions[] = []): LanguageModelV2 {
  const usage = { inputTokens: 9, outputTokens: 5, totalTokens: 14, reasoningTokens: 2, cachedInputTokens: 3 }
  const turns: LanguageModelV2StreamPart[][] = [
    [{ type: 'stream-start', warnings: [] }, ...begin, ...call, { type: 'finish', finishReason: 'tool-calls', usage }],
    [...answer, source, file, { type: 'finish', finishReason: 'stop', usage }],
  ]
  return {
    ...base,
    specificationVersion: 'v2',
    doStream: async (options) => ({ stream: streamOf(turns[prompts.push(options) - 1] ?? []) }),
  }
}

function modelV3(prompts: LanguageModelV3CallOptions[] = []): LanguageModelV3 {
  const usage = {
    inputTokens: { total: 9, noCache: 6, cacheRead: 3, cacheWrite: 0 },
    outputTokens: { total: 5, text: 3, reasoning: 2 },
  }
  const finish = (unified: 'tool-calls' | 'stop') => ({ unified, raw: unified })
  const turns: LanguageModelV3StreamPart[][] = [
    [
      { type: 'stream-start', warnings: [] },
      ...begin,
      ...call,
      { type: 'finish', finishReason: finish('tool-calls'), usage },
    ],
    [...answer, source, file, { type: 'finish', finishReason: finish('stop'), usage }],
  ]
  return {
    ...base,
    specificationVersion: 'v3',
    doStream: async (options) => ({ stream: streamOf(turns[prompts.push(options) - 1] ?? []) }),
  }
}

const inputSchema = z.object({ at: z.string() })
const look = sdkTool({ inputSchema, execute: ({ at }: { at: string }) => `seen ${at}` })
const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } } as const

it.each([
  ['v2', modelV2],
  ['v3', modelV3],
] as const)('lets a model of interface %s in, and makes of it what the AI SDK does', async (_, model) => {
  const theirs = streamText({
    model: model(),
    tools: { look },
    stopWhen: isStepCount(5),
    messages: [{ role: 'user', content: 'Look' }],
  })
  const run = agent({ name: 'guide', model: languageModel(model()), tools: { look } }).start('Look')
  const signal = await run.settled
  const [thought, action, observation] = scratchpad(run.state)
  const turns = run.state.history.flat().filter((entry) => entry.type === 'turn')

  expect(signal).toMatchObject({ type: 'answer', output: await theirs.text })
  expect(thought).toMatchObject({ reasoning: (await theirs.steps)[0]?.reasoningText })
  expect(action).toMatchObject({ tool: 'look', input: (await theirs.steps)[0]?.toolCalls[0]?.input })
  expect(observation).toMatchObject({ output: (await theirs.steps)[0]?.toolResults[0]?.output })
  expect(turns.map(({ finish }) => finish?.unified)).toEqual(
    (await theirs.steps).map(({ finishReason }) => finishReason),
  )
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } = await theirs.usage
  expect(run.state.usage).toMatchObject({
    inputTokens,
    outputTokens,
    cachedInputTokens: inputTokenDetails.cacheReadTokens,
    reasoningTokens: outputTokenDetails.reasoningTokens,
  })
  expect(turns[1]?.parts.map(({ type }) => type)).toEqual(['text', 'source', 'file'])
})

it.each([
  ['v2', modelV2],
  ['v3', modelV3],
] as const)('gives a model of interface %s the prompt as it knows it', async (_, model) => {
  const prompts: (LanguageModelV2CallOptions & LanguageModelV3CallOptions)[] = []
  const run = agent({ name: 'guide', model: languageModel(model(prompts)), tools: { look } }).start([
    { type: 'text', text: 'Look' },
    picture,
  ])
  await run.settled

  expect(prompts[1]?.prompt).toMatchObject([
    { role: 'user', content: [{ text: 'Look' }, { type: 'file', data: 'AAAA' }] },
    {
      role: 'assistant',
      content: [{ type: 'reasoning', providerOptions: { old: { signature: 'sig' } } }, { toolCallId: 'c' }],
    },
    { role: 'tool', content: [{ toolCallId: 'c', output: { type: 'text', value: 'seen x' } }] },
  ])
})

it('leaves a model of the present interface as it is', () => {
  const model = scriptedModel()

  expect(languageModel(model)).toBe(model)
})

it('refuses what is no model', () => {
  expect(() => languageModel({ specificationVersion: 'v1' } as never)).toThrow('interface v1')
  expect(() => languageModel('')).toThrow('empty name')
})

it('finds a name where the app says that models are', async () => {
  vi.stubGlobal('AI_SDK_DEFAULT_PROVIDER', { specificationVersion: 'v4', languageModel: () => scriptedModel('Hi.') })
  const run = agent({ name: 'guide', model: languageModel('openai/gpt-5') }).start('Hello')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hi.' })
})

it('says what a name of the gateway needs', async () => {
  vi.stubEnv('AI_GATEWAY_API_KEY', undefined)
  vi.stubEnv('VERCEL_OIDC_TOKEN', undefined)
  const run = agent({ name: 'guide', model: languageModel('openai/gpt-5') }).start('Hello')

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { message: expect.stringContaining('Set AI_GATEWAY_API_KEY') },
  })
})
