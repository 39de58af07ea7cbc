import type { LanguageModelV4FunctionTool, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { collect } from '@interleave/test-kit/collect'
import { scriptedModel } from '@interleave/testing'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type TextFormat, writings } from './format.ts'
import { textMode } from './textMode.ts'
import type { TextModeOptions } from './textModeSettings.ts'

type Part = LanguageModelV4StreamPart

const search: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'search',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
const finish: Part = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
}

async function read(chunks: readonly string[], options: TextModeOptions): Promise<Part[]> {
  const turn = [...chunks.map((delta): Part => ({ type: 'text-delta', id: '0', delta })), finish]
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Go' }] }]
  const { stream } = await textMode(scriptedModel(turn, turn, turn, turn), options).doStream({
    prompt,
    tools: [search],
  })
  return collect(stream)
}

/** The segments that models write, in any order. */
const segments = [
  'Thought:',
  'Action:',
  'Action Input:',
  'Observation:',
  'Final Answer:',
  'search',
  '[x]',
  '{"query": "x"}',
  '```',
  '\n',
]
const tags = [
  '<tool_call>',
  '</tool_call>',
  '<command>',
  '</command>',
  '> ',
  'think: ',
  '{"action": "search"',
  ' ',
  'Hm.',
  '[',
  ']',
  '}',
]
const chunks = fc.array(fc.constantFrom(...segments, ...tags), { maxLength: 12 })
const formats = Object.keys(writings) as TextFormat[]

const joined = (parts: readonly Part[], ...types: readonly Part['type'][]): string =>
  parts.map((part) => (types.includes(part.type) && 'delta' in part ? part.delta : '')).join('')

/**
 * Returns everything that counts of a step, however its text was cut. A malformed one shows the part that had arrived.
 */
function saidIn(parts: readonly Part[], format: TextFormat): unknown {
  // Where answers have no mark, words count as text until a mark is seen.
  const words = writings[format].plainAnswer
    ? [joined(parts, 'text-delta', 'reasoning-delta')]
    : [joined(parts, 'text-delta'), joined(parts, 'reasoning-delta')]
  const calls = parts.filter((part) => part.type === 'tool-call')
  return [...words, calls.map((call) => (call.providerMetadata ? { ...call, input: '' } : call))]
}

it.each(formats)('makes one well-formed step of whatever a model writes, in %s', async (format) => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.constantFrom('answer', 'malformed'), async (written, unlabelled) => {
      const parts = await read(written, { format, unlabelled })

      expect(parts.at(-1)?.type).toBe('finish')
      expect(opened(parts)).toEqual([])
      const calls = parts.filter(({ type }) => type === 'tool-call')
      const text = parts.some(({ type }) => type === 'text-delta')
      // Between tags, several calls may be written.
      const isOne = writings[format].plainAnswer ? calls.length > 0 : calls.length === 1
      expect(isOne || (calls.length === 0 && (text || hasAnswer(parts)))).toBe(true)
    }),
  )
})

/** Blocks that were begun and not ended. */
function opened(parts: readonly Part[]): string[] {
  const open = new Set<string>()
  for (const part of parts) {
    if (part.type.endsWith('-start') && 'id' in part) open.add(String(part.id))
    if (part.type.endsWith('-end') && 'id' in part) open.delete(String(part.id))
  }
  return [...open]
}

/** An answer may be empty. */
const hasAnswer = (parts: readonly Part[]): boolean => parts.some(({ type }) => type === 'text-start')

it.each(formats)('reads the same however the text is cut, in %s', async (format) => {
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 5 }), async (written, size) => {
      const text = written.join('')
      const cut = text.match(new RegExp(`[\\s\\S]{1,${size}}`, 'g')) ?? []

      expect(saidIn(await read(cut, { format }), format)).toEqual(saidIn(await read([text], { format }), format))
    }),
  )
})
