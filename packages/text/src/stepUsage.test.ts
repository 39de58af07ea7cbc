import type { LanguageModelV4, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { agent, reasonAct, tool } from '@interleave/core'
import { estimatedUsage } from '@interleave/core/internal'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { TextFormat } from './format.ts'
import { unknownUsage } from './stepUsage.ts'
import { textMode } from './textMode.ts'

type Part = LanguageModelV4StreamPart

const text = (delta: string): Part => ({ type: 'text-delta', id: '0', delta })
const finish = (usage: LanguageModelV4Usage): Part => ({
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage,
})
const counted = {
  inputTokens: { total: 100, noCache: 100, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 20, text: 20, reasoning: 0 },
}
const fenced: [TextFormat, string][] = [
  ['json-blob', 'Thought: I look.\nAction:\n```\n{"action": "search", "action_input": {"query": "Paris"}}\n```'],
  ['mrkl-json-input', 'Thought: I look.\nAction: search\nAction Input:\n```json\n{"query": "Paris"}\n```'],
  ['llamaindex', 'Thought: I look.\nAction: search\nAction Input: ```json\n{"query": "Paris"}\n```'],
  [
    'json-thought-command',
    '```json\n{"thoughts": {"text": "I look."}, "command": {"name": "search", "args": {"query": "Paris"}}}\n```',
  ],
]

const search = tool({ inputSchema: z.object({ query: z.string() }), execute: () => 'Paris is in France.' })

/** Runs an agent that looks for something until a limit of tokens ends it, and returns its state and first turn. */
async function look(model: LanguageModelV4, format: TextFormat = 'mrkl-json-input') {
  const backend = reasonAct({ limits: { tokens: 500 } })
  const seeker = agent({ name: 'a', model: textMode(model, { format }), tools: { search }, backend })
  const run = seeker.start('Where is Paris?')
  await run.settled
  const turn = run.state.history.flat().find((entry) => entry.type === 'turn')
  return { state: run.state, turn }
}
const always = (turn: ScriptedTurn) => scriptedModel(...Array.from({ length: 40 }, () => turn))

it.each(fenced)('counts the tokens of a step that ends with a fence, in %s', async (format, written) => {
  const { state, turn } = await look(always([...[...`${written}\n`].map(text), finish(counted)]), format)

  expect(turn).toMatchObject({ usage: { inputTokens: 100, outputTokens: 20 } })
  expect(turn?.providerMetadata).toBeUndefined()
  expect(state.signal).toMatchObject({ type: 'limitReached', limit: 'tokens', used: 600 })
})

const zeros = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
}
it.each<[string, readonly Part[]]>([
  ['reports none', [finish(unknownUsage)]],
  ['reports zeros', [finish(zeros)]],
  ['ends without a report', []],
  ['continues to write', [text('\nObservation: '), ...Array.from({ length: 500 }, () => text('It goes on. '))]],
])('estimates the tokens of a server that %s, so that a limit ends the run', async (_, end) => {
  const { state, turn } = await look(always([...[...(fenced[1]?.[1] ?? '')].map(text), ...end]))

  expect(state.signal).toMatchObject({ type: 'limitReached', limit: 'tokens' })
  expect(turn?.usage.inputTokens).toBeGreaterThan(50)
  expect(turn?.usage.outputTokens).toBeGreaterThan(10)
  expect(turn?.providerMetadata).toEqual(estimatedUsage)
})

it('estimates only the half that the server did not report', async () => {
  const { turn } = await look(
    always([text(fenced[1]?.[1] ?? ''), finish({ ...counted, outputTokens: unknownUsage.outputTokens })]),
  )

  expect(turn?.usage).toMatchObject({ inputTokens: 100, outputTokens: expect.any(Number) })
  expect(turn?.usage.outputTokens).toBeGreaterThan(10)
})

it('gives up a server that neither ends nor continues after a step', async () => {
  let cancelled = false
  const stream = new ReadableStream<Part>({
    start: (controller) => controller.enqueue(text(`${fenced[1]?.[1]}\nObservation: `)),
    cancel: () => {
      cancelled = true
    },
  })
  const model = { ...scriptedModel('Final Answer: Yes.'), doStream: async () => ({ stream }) } as LanguageModelV4
  const given = await textMode(model).doGenerate({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
    tools: [{ type: 'function', name: 'search', inputSchema: { type: 'object' } }],
  })

  expect(given.content).toContainEqual(expect.objectContaining({ type: 'tool-call', toolName: 'search' }))
  expect(given.providerMetadata).toEqual(estimatedUsage)
  expect(cancelled).toBe(true)
})
