import type { LanguageModelV4, LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, tool } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'
import { compact } from './compact.ts'
import { cutResults } from './cutResults.ts'
import { dropTurns } from './dropTurns.ts'
import type { CompactionStrategy } from './pipeline.ts'
import { summarize } from './summarize.ts'
import { estimateMessages } from './tokens.ts'

const window = 1_500
const summarizer = () => scriptedModel(...Array.from({ length: 500 }, (_, n) => `Summary ${n}. ${'word '.repeat(60)}`))

const strategies: readonly [string, () => readonly CompactionStrategy[]][] = [
  ['cutResults, dropTurns', () => [cutResults(), dropTurns()]],
  ['dropTurns', () => [dropTurns()]],
  ['summarize', () => [summarize({ models: [summarizer()], length: 120 })]],
  ['summarize in parts', () => [summarize({ models: [summarizer()], length: 60, contextWindow: 400 })]],
  ['cutResults, summarize, dropTurns', () => [cutResults(), summarize({ models: [summarizer()] }), dropTurns()]],
]

const size = fc.nat(220)
const call = fc.record({ name: fc.constantFrom('read', 'fail', 'unknown'), input: fc.record({ words: size }) })
const turn = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ reasoning: fc.constant('Hm.'), calls: fc.array(call, { minLength: 1, maxLength: 3 }) }),
  },
  { weight: 1, arbitrary: fc.constant('provider' as const) },
)
const request = fc.record({ said: fc.nat(80), turns: fc.array(turn, { maxLength: 6 }) })

const usage = { inputTokens: { total: 0 }, outputTokens: { total: 0 } } as never
const finish = (raw: string): LanguageModelV4StreamPart => ({
  type: 'finish',
  usage,
  finishReason: { unified: raw === 'pause_turn' ? 'tool-calls' : 'stop', raw },
})
/** Returns a search that the provider begins in one turn and reports in the next. */
const search = (id: string): readonly ScriptedTurn[] => [
  [
    { type: 'tool-call', toolCallId: id, toolName: 'search', input: '{}', providerExecuted: true },
    finish('pause_turn'),
  ],
  [
    { type: 'tool-result', toolCallId: id, toolName: 'search', result: { found: 'much' } },
    { type: 'tool-call', toolCallId: `${id}-own`, toolName: 'read', input: '{"words":20}' },
    finish('stop'),
  ],
]

it.each(strategies)('gives the model a conversation that providers take, whatever went before: %s', async (_, made) => {
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 4 }), async (requests) => {
      const script = requests.flatMap(({ turns }, n): ScriptedTurn[] => [
        ...turns.flatMap((each, m) =>
          each === 'provider' ? search(`search-${n}-${m}`) : [{ ...each, usage: { input: 0, output: 0 } }],
        ),
        { text: 'Done.', usage: { input: 0, output: 0 } },
      ])
      const model = scriptedModel(...script)
      const step = compact({ contextWindow: window, ratio: 0.6, keep: 3, strategies: made() })
      const backend = reasonAct({ before: [step], limits: { iterations: 100 } })
      const described = agent({ name: 'a', model, tools: { read, fail }, backend })
      const run = described.start(words('first', requests[0]?.said), { observers: [laws()] })
      await run.settled
      for (const { said } of requests.slice(1)) {
        await run.say(words('later', said))
        await run.settled
      }

      expect(run.state.signal).toMatchObject({ type: 'answer' })
      for (const { prompt } of model.calls) {
        expect(faultOf(prompt)).toBeUndefined()
        expect(estimateMessages(prompt)).toBeLessThan(window)
        expect(JSON.stringify(prompt)).toContain('first-request')
      }
    }),
    { numRuns: 25 },
  )
})

it('gives the same prompts wherever the run was cut and continued with', async () => {
  let compactions = 0
  const same = summarize({ models: [telling(100)], length: 120 })
  await fc.assert(
    fc.asyncProperty(
      fc.array(size, { minLength: 4, maxLength: 9 }),
      fc.nat(99),
      fc.boolean(),
      async (sizes, cut, asks) => {
        const lines = [
          ...sizes.map(
            (count, n): ScriptedTurn => ({
              calls: [{ name: 'read', id: `c${n}`, input: { words: count } }],
              usage: { input: 0, output: 0 },
            }),
          ),
          'Done.',
        ]
        const step = compact({
          contextWindow: window,
          ratio: 0.4,
          keep: 2,
          strategies: [cutResults(), asks ? same : dropTurns()],
        })
        const backend = reasonAct({ before: [step], limits: { iterations: 100 } })
        const made = (model: LanguageModelV4) => agent({ name: 'a', model, tools: { read, fail }, backend })
        const [model, journal, part] = [scriptedModel(...lines), memoryJournal(), memoryJournal()]
        await made(model).start('Go', { id: 'r', journal }).settled
        const events = await journal.read('r')
        compactions += events.filter(({ type }) => type === 'compacted').length
        const kept = events.slice(0, 2 + (cut % (events.length - 1)))
        await part.append('r', kept)
        const received = kept.filter(({ type }) => type === 'thought').length

        const rest = scriptedModel(...lines.slice(received))
        const again = await made(rest).resume('r', { journal: part })
        await again.settled

        expect(rest.calls.map(({ prompt }) => prompt)).toEqual(model.calls.slice(received).map(({ prompt }) => prompt))
      },
    ),
    { numRuns: 40 },
  )
  expect(compactions).toBeGreaterThan(20)
})

/** A summarizer that says the same of the same. */
const telling = (times: number) =>
  scriptedModel(
    ...Array.from(
      { length: 10 * times },
      (): ScriptedTurn =>
        ({ prompt }) =>
          `Of ${JSON.stringify(prompt).length}.`,
    ),
  )

const words = (name: string, count = 0): string => `${name}-request ${'word '.repeat(count)}`
const read = tool({
  inputSchema: z.object({ words: z.number() }),
  effect: 'readOnly',
  execute: ({ words: count }) => 'word '.repeat(count),
})
const fail = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: () => {
    throw new Error('Broken.')
  },
})

/** Returns the reason why a provider would reject these messages. */
function faultOf(prompt: readonly LanguageModelV4Message[]): string | undefined {
  const searched = new Set<string>()
  let before: LanguageModelV4Message | undefined
  for (const message of prompt.filter(({ role }) => role !== 'system')) {
    if (!before && message.role !== 'user') return `begins with ${message.role}`
    const open = callsOf(before)
    const told =
      message.role === 'tool' ? message.content.map((part) => ('toolCallId' in part ? part.toolCallId : '')) : []
    if (open.join() !== told.join()) return `calls [${open}], results [${told}]`
    if (message.role === 'assistant') {
      if (before?.role === 'assistant' && !pauses(before)) return 'the assistant speaks twice'
      for (const part of message.content) {
        if (part.type === 'tool-call' && part.providerExecuted) searched.add(part.toolCallId)
        if (part.type === 'tool-result' && !searched.has(part.toolCallId))
          return `a result of nothing: ${part.toolCallId}`
      }
    }
    before = message
  }
  return callsOf(before).length > 0 ? 'ends with an open call' : undefined
}

const callsOf = (message: LanguageModelV4Message | undefined): readonly string[] =>
  message?.role === 'assistant'
    ? message.content.flatMap((part) => (part.type === 'tool-call' && !part.providerExecuted ? [part.toolCallId] : []))
    : []

const pauses = ({ content }: LanguageModelV4Message): boolean =>
  typeof content !== 'string' && content.some((part) => part.type === 'tool-call' && part.providerExecuted)
