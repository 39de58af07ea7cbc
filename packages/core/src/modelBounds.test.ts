import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { reduceDraft } from './draft.ts'
import { agent, reasonAct } from './index.ts'
import { defaultCaps, emptyTurn, TurnReader } from './steps/turnReader.ts'

const kB = 'x'.repeat(1_000)
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `k${index}`)

/** Parts of which a hostile provider sends as many as it is let. */
const floods: Readonly<Record<string, (index: number) => object>> = {
  files: () => ({ type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array(10_000) } }),
  'files of a reasoning': () => ({ type: 'reasoning-file', mediaType: 'image/png', data: { type: 'data', data: kB } }),
  sources: (id) => ({ type: 'source', sourceType: 'url', id: `${id}`, url: `https://a.b/${kB}` }),
  'results of tools': (id) => ({ type: 'tool-result', toolCallId: `${id}`, toolName: 'search', result: many(1_000) }),
  'custom parts': () => ({ type: 'custom', kind: 'p.k', providerMetadata: { p: { kB } } }),
  'calls of its own tools': (id) => ({
    type: 'tool-call',
    toolCallId: `${id}`,
    toolName: 'search',
    input: JSON.stringify(kB.repeat(50)),
    providerExecuted: true,
  }),
  'calls of ours': (id) => ({ type: 'tool-call', toolCallId: `${id}`, toolName: 'look', input: '{}' }),
  'questions for leave': (id) => ({ type: 'tool-approval-request', toolCallId: 'c', approvalId: `${id}` }),
  'texts that begin': (id) => ({ type: 'text-start', id: `${id}` }),
  'texts that only grow': (id) => ({ type: 'text-delta', id: `${id}`, delta: '' }),
  'inputs that begin': (id) => ({ type: 'tool-input-start', id: `${id}`, toolName: 'look' }),
  'metadata of a text': (id) => ({ type: 'text-delta', id: '0', delta: '', providerMetadata: { [`k${id}`]: { kB } } }),
  warnings: () => ({ type: 'stream-start', warnings: many(10_000) }),
  'ends of it': () => ({ type: 'finish', finishReason: { unified: 'stop', raw: kB }, usage: {} }),
  'a file without end': () => ({
    type: 'file',
    mediaType: 'image/png',
    data: { type: 'data', data: new Uint8Array(100_000_000) },
  }),
  'a list without end': () => ({ type: 'custom', kind: 'p.k', more: new Array(2 ** 32 - 1) }),
  'lists of lists of lists': () => {
    let list: unknown[] = [kB]
    for (let level = 0; level < 40; level++) list = [list, list]
    return { type: 'custom', kind: 'p.k', more: list }
  },
  'parts of no known type': () => ({ type: 'news' }),
}

it.each(Object.entries(floods))(
  'gives up a turn of too many %s, and continues when it is asked to',
  async (_, part) => {
    let sent = 0
    let isCancelled = false
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      pull: (to) => to.enqueue(part(sent++) as LanguageModelV4StreamPart),
      cancel() {
        isCancelled = true
      },
    })
    const answers = scriptedModel('Done.')
    let asked = 0
    const doStream: LanguageModelV4['doStream'] = async (call) => (asked++ === 0 ? { stream } : answers.doStream(call))
    const caps = { maxBytes: 3_000_000, maxParts: 20_000 }
    const backend = reasonAct({ think: { retries: 0, caps } })

    const run = agent({ name: 'a', model: { ...answers, doStream }, backend }).start('Go')
    const signal = await run.settled
    const size = JSON.stringify(run.state).length
    run.resume()

    expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_too_large' } })
    expect(size).toBeLessThan(6_000_000)
    expect(isCancelled).toBe(true)
    expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  },
)

it('looks at each chunk of metadata once, however many came before', () => {
  const turn = emptyTurn()
  const reader = new TurnReader(turn, () => {}, defaultCaps)
  let looks = 0
  const chunk = (key: string): LanguageModelV4StreamPart => ({
    type: 'text-delta',
    id: '0',
    delta: '',
    providerMetadata: Object.defineProperty({}, key, { enumerable: true, get: () => [++looks] }),
  })
  const metadata = () => (turn.parts[0] as { providerMetadata?: object }).providerMetadata

  reader.read(chunk('first'))
  const before = metadata()
  for (const key of many(1_000)) reader.read(chunk(key))

  expect(looks).toBe(1_001)
  expect(metadata()).toBe(before)
  expect(Object.keys(metadata() ?? {})).toHaveLength(1_001)
})

it('counts no metadata that was replaced', () => {
  const turn = emptyTurn()
  const reader = new TurnReader(turn, () => {}, { ...defaultCaps, maxBytes: 5_000 })

  for (let n = 0; n < 100; n++)
    reader.read({ type: 'text-delta', id: '0', delta: '', providerMetadata: { p: { kB, n } } })

  expect(turn.parts).toEqual([{ type: 'text', text: '', providerMetadata: { p: { kB, n: 99 } } }])
})

it('draws so many inputs while they stream that each chunk costs about the same', () => {
  const draft = many(1_000)
    .concat('__proto__', 'k0', '__proto__')
    .reduce(
      (before, id) => reduceDraft(before, { type: 'delta', kind: 'input', id, tool: 'look', delta: 'x' }, 0),
      reduceDraft(undefined, { type: 'thinking', iteration: 1 }, 0),
    )

  expect(Object.keys(draft?.inputs ?? {})).toHaveLength(100)
  expect(draft?.inputs).toMatchObject({ k0: { tool: 'look', text: 'xx' } })
  expect(Object.getPrototypeOf(draft?.inputs)).toBeNull()
})

it.each([
  ['a text', { type: 'text-delta', id: 'x'.repeat(1_000_000), delta: '' }],
  ['a call', { type: 'tool-call', toolCallId: 'x'.repeat(1_000_000), toolName: 'look', input: '{}' }],
  ['a tool', { type: 'tool-call', toolCallId: 'c', toolName: 'x'.repeat(1_000_000), input: '{}' }],
  ['a tool whose input streams', { type: 'tool-input-start', id: 'c', toolName: 'x'.repeat(1_000_000) }],
  ['a text that is no text', { type: 'text-delta', id: 5, delta: '' }],
  ['a call that is no text', { type: 'tool-call', toolCallId: null, toolName: 'look', input: '{}' }],
  ['a tool that is none', { type: 'tool-input-start', id: 'c', toolName: {} }],
])('refuses the name of %s', async (_, part) => {
  const backend = reasonAct({ think: { retries: 0 } })
  const run = agent({ name: 'a', model: scriptedModel([part as never]), backend }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_malformed' } })
})

it.each([
  ['maxBytes', Number.NaN],
  ['maxMs', 0],
  ['maxChars', 5],
])('refuses the cap %s: %s', (name, cap) => {
  expect(() => reasonAct({ think: { caps: { [name]: cap } } })).toThrow(/above 0/)
})
