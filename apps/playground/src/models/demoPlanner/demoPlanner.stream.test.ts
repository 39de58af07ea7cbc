import type { LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { agent, tool } from '@interleave/core'
import { collect } from '@interleave/test-kit/collect'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { demoPlanner } from './demoPlanner.ts'

const now = () => new Date(2026, 10, 20, 12)
const call: LanguageModelV4CallOptions = {
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Search the manual for brakes' }] }],
  tools: [
    {
      type: 'function',
      name: 'search',
      description: 'Searches the manual.',
      inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    },
  ],
}

it('streams its reasons, the input of the call and an estimated usage', async () => {
  const { stream } = await demoPlanner({ delayMs: 0, now }).doStream(call)

  const parts = await collect(stream)
  const input = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : [])).join('')
  expect(parts[0]).toMatchObject({ warnings: [{ message: expect.stringContaining('rules, no AI') }] })
  expect(parts.some((part) => part.type === 'reasoning-delta')).toBe(true)
  expect(JSON.parse(input)).toEqual({ query: 'brakes' })
  expect(parts.at(-1)).toMatchObject({
    finishReason: { unified: 'tool-calls' },
    providerMetadata: { demo: { usage: 'estimated' } },
  })
})

it('gives the same turn for the same conversation', async () => {
  const model = demoPlanner({ delayMs: 0, now })

  const [first, second] = await Promise.all([model.doStream(call), model.doStream(call)])

  expect(await collect(first.stream)).toEqual(await collect(second.stream))
})

it('gives the whole turn at once too', async () => {
  const { content, finishReason } = await demoPlanner({ delayMs: 0, now }).doGenerate(call)

  expect(content.map(({ type }) => type)).toEqual(['reasoning', 'tool-call'])
  expect(finishReason.unified).toBe('tool-calls')
})

it('waits between words and ends when it must', async () => {
  const controller = new AbortController()
  const waits: number[] = []
  const wait = async (ms: number) => {
    if (waits.push(ms) === 3) controller.abort(new Error('Enough.'))
  }

  const { stream } = await demoPlanner({ delayMs: 7, now, wait }).doStream({ ...call, abortSignal: controller.signal })

  await expect(collect(stream)).rejects.toThrow('Enough.')
  expect(waits).toEqual([7, 7, 7])
})

it('calls nothing when tools are forbidden', async () => {
  const { content } = await demoPlanner({ delayMs: 0, now }).doGenerate({ ...call, toolChoice: { type: 'none' } })

  expect(content.some(({ type }) => type === 'tool-call')).toBe(false)
})

const words = [
  'book', 'find', 'weather', 'in', 'Lisbon', 'and', 'then', 'it', '12', '* 3', 'tomorrow', '"quoted', '?', '.', 'cheapest',
  'https://a.b', 'x@y.zz', 'convert', 'km', 'to', 'by', '(', '[', '\\', '$&', '\n', 'also', 'red', 'A-7', 'the result', 'why',
] // biome-ignore format: a vocabulary
const texts = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(fc.constantFrom(...words), { maxLength: 14 }).map((all) => all.join(' ')),
)
const tools = {
  search: tool({
    description: 'Searches things.',
    inputSchema: z.object({ query: z.string() }),
    execute: () => [
      { id: 'A-7', price: 1 },
      { id: 'B$', price: 2 },
    ],
  }),
  book: tool({
    description: 'Books a thing that search found.',
    inputSchema: z.object({ id: z.string(), day: z.iso.date().optional() }),
    execute: ({ id }) => id,
  }),
  weather: tool({
    description: 'Weather of a city.',
    inputSchema: z.object({ city: z.string(), color: z.enum(['red', 'a.*b']) }),
    execute: () => {
      throw new Error('No.')
    },
  }),
  convert: tool({
    description: 'Converts units.',
    inputSchema: z.object({ value: z.number(), from: z.string().describe('unit'), to: z.string().describe('unit') }),
    execute: ({ value }) => value,
  }),
  calculate: tool({
    description: 'Calculates an expression.',
    inputSchema: z.object({
      expression: z.string(),
      deep: z.object({ n: z.int(), tags: z.array(z.string()) }).optional(),
    }),
    execute: () => ({ result: 4 }),
  }),
}

it('ends with an answer within a few turns, whatever a user says', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        texts.filter((text) => text !== ''),
        { minLength: 1, maxLength: 3 },
      ),
      texts,
      async ([first = 'x', ...more], reply) => {
        const askUser = tool({
          inputSchema: z.object({ question: z.string(), kind: z.string() }),
          execute: () => reply,
        })
        const run = agent({ name: 'any', model: demoPlanner({ delayMs: 0, now }), tools: { ...tools, askUser } }).start(
          first,
        )
        for (const text of more) {
          await run.settled
          await run.say(text)
        }

        expect(await run.settled).toMatchObject({ type: 'answer' })
      },
    ),
    { numRuns: 150 },
  )
})

it.each(['and ', 'Lisbon and ', ' ', '(1+', 'book ', '"', '12 May ', 'a.'])(
  'reads a long run of %j in linear time',
  async (unit) => {
    const prompt: LanguageModelV4CallOptions['prompt'] = [
      { role: 'user', content: [{ type: 'text', text: `search ${unit.repeat(20_000)}!` }] },
    ]
    const before = process.cpuUsage()

    await demoPlanner({ delayMs: 0, now }).doGenerate({ ...call, prompt })

    // Time of this process, whatever else the machine does: in quadratic time it takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
  },
)
