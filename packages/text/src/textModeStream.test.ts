import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { estimatedUsage } from '@interleave/core/internal'
import { collect } from '@interleave/test-kit/collect'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { textMode } from './textMode.ts'
import type { TextModeOptions } from './textModeSettings.ts'

type Part = LanguageModelV4StreamPart
type Params = Partial<LanguageModelV4CallOptions>

const search: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'search',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}
const finalAnswer: LanguageModelV4FunctionTool = {
  type: 'function',
  name: 'final_answer',
  inputSchema: { type: 'object', properties: { n: { type: 'integer' }, of: { type: 'string' } }, required: ['n'] },
}
const params = (more: Params = {}): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text: 'Go' }] }],
  tools: [search],
  ...more,
})

async function partsOf(model: LanguageModelV4, options: TextModeOptions = {}, more: Params = {}): Promise<Part[]> {
  const { stream } = await textMode(model, options).doStream(params(more))
  return collect(stream)
}
const read = (turn: ScriptedTurn, options?: TextModeOptions, more?: Params) =>
  partsOf(scriptedModel(turn), options, more)

const joined = (parts: readonly Part[], type: 'text-delta' | 'reasoning-delta'): string =>
  parts.map((part) => (part.type === type ? part.delta : '')).join('')
const callsIn = (parts: readonly Part[]) => parts.filter((part) => part.type === 'tool-call')
const finishOf = (parts: readonly Part[]) => parts.find((part) => part.type === 'finish')

const usage = {
  inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
}
const text = (delta: string): Part => ({ type: 'text-delta', id: '0', delta })
const finish = (unified: LanguageModelV4FinishReason['unified'], raw: string | undefined = unified): Part => ({
  type: 'finish',
  finishReason: { unified, raw },
  usage,
})
const action = 'Thought: I look.\nAction: search\nAction Input: {"query": "Paris"}'

it('streams a thought as reasoning and an action as a call', async () => {
  const parts = await read([
    text('Thought: I'),
    text(' look.\nAction: search\nAction Input: {"query": "Paris"}'),
    finish('stop'),
  ])

  const input = '{"query":"Paris"}'
  expect(parts).toEqual([
    { type: 'reasoning-start', id: 'step-1', providerMetadata: { interleave: { thought: true } } },
    { type: 'reasoning-delta', id: 'step-1', delta: 'I' },
    { type: 'reasoning-delta', id: 'step-1', delta: ' look.' },
    { type: 'reasoning-end', id: 'step-1' },
    { type: 'tool-input-start', id: 'action-1', toolName: 'search' },
    { type: 'tool-input-delta', id: 'action-1', delta: input },
    { type: 'tool-input-end', id: 'action-1' },
    { type: 'tool-call', toolCallId: 'action-1', toolName: 'search', input },
    { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'stop' }, usage },
  ])
})

it('streams a final answer as text, without the thought before it', async () => {
  const parts = await read('Thought: I know.\nFinal Answer: It is Paris.')

  expect(joined(parts, 'text-delta')).toBe('It is Paris.')
  expect(joined(parts, 'reasoning-delta')).toBe('I know.')
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'stop' } })
})

it.each([
  ['{"n": 5, "of": "cats"}', '{"n":5,"of":"cats"}'],
  ['5', '{"n":5}'],
  ['```json\n{"n": 5}\n```', '{"n":5}'],
  ['Five.', '{"n":"Five."}'],
  ['{"n": ', '"{\\"n\\":"'],
])('calls the answer tool, where there is one, with %s', async (answer, input) => {
  const parts = await read(`Thought: I know.\nFinal Answer: ${answer}`, {}, { tools: [search, finalAnswer] })

  expect(callsIn(parts)).toMatchObject([{ toolName: 'final_answer', input }])
  expect(joined(parts, 'text-delta')).toBe('')
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
})

it('calls a tool of the agent that has the name of an ending', async () => {
  const tool = { ...search, name: 'Finish' }

  expect(
    callsIn(await read('Action: Finish[Paris]', { format: 'react-plain-bracket' }, { tools: [tool] })),
  ).toMatchObject([{ toolName: 'Finish', input: '{"query":"Paris"}' }])
})

it('takes the answer tool by its name, too', async () => {
  const called = 'Action: final_answer\nAction Input: {"n": 5}'

  expect(callsIn(await read(called, {}, { tools: [search, finalAnswer] }))).toMatchObject([
    { toolName: 'final_answer', input: '{"n":5}' },
  ])
})

/** Creates a server that ignores stop sequences and continues forever. */
function endless(...beginning: readonly string[]) {
  const seen = { sent: 0, cancelled: false }
  const stream = new ReadableStream<Part>({
    pull: (controller) => controller.enqueue(text(beginning[seen.sent++] ?? ' and more')),
    cancel() {
      seen.cancelled = true
    },
  })
  const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
  return { model, seen }
}

it.each([
  ['its own observation', ['\nObserv', 'ation: In Germany.', '\nThought: I know.']],
  ['another step', ['\nThought: And', ' now?\nAction: search\nAction Input: {}']],
])('gives up a stream that continues with %s, and estimates its tokens', async (_, more) => {
  const { model, seen } = endless(action, ...more)

  const parts = await partsOf(model)

  expect(callsIn(parts)).toMatchObject([{ input: '{"query":"Paris"}' }])
  expect(JSON.stringify(parts)).not.toMatch(/Germany|now/)
  expect(seen.cancelled).toBe(true)
  expect(seen.sent).toBeLessThan(25)
  expect(finishOf(parts)).toMatchObject({
    finishReason: { unified: 'tool-calls', raw: 'step-complete' },
    usage: { outputTokens: { total: expect.any(Number) } },
    providerMetadata: estimatedUsage,
  })
})

it("waits for the end of a server that stops by itself, and keeps the server's count of tokens", async () => {
  const parts = await read([text(`${action}`), text('\nObservation'), finish('stop')])

  expect(callsIn(parts)).toHaveLength(1)
  expect(finishOf(parts)).toMatchObject({ usage })
})

it('cuts at a stop sequence of the caller that the server ignores', async () => {
  const parts = await read('Final Answer: one two END three', {}, { stopSequences: ['END'] })

  expect(joined(parts, 'text-delta').trim()).toBe('one two')
})

it('does not run an action that was cut off', async () => {
  const cut = [text('Thought: I look.\nAction: shell\nAction Input: {"query": "rm -r /home'), finish('length')]

  const parts = await read(cut)

  expect(callsIn(parts)).toMatchObject([{ toolName: 'malformed_step' }])
  expect(JSON.stringify(callsIn(parts))).toContain('was cut off')
})

it('sends back an input that is broken JSON', async () => {
  const parts = await read('Action: search\nAction Input: {"query": ')

  expect(callsIn(parts)).toMatchObject([{ toolName: 'malformed_step' }])
  expect(JSON.stringify(parts)).toContain('The input of search is not whole JSON.')
})

it('takes the thought for the answer where the command that ends the work says nothing', async () => {
  const parts = await read('The tests pass now.\n<command>\nsubmit\n</command>', { format: 'swe-xml-command' })

  expect(joined(parts, 'text-delta')).toBe('The tests pass now.')
})

it('reads and names problems in the words of the app', async () => {
  const labels = { action: 'Aktion', actionInput: 'Eingabe', answer: 'Antwort' }
  const call = 'Thought: Ja.\nAktion: search\nEingabe: {"query": "Paris"}'

  expect(callsIn(await read(call, { labels }))).toMatchObject([{ input: '{"query":"Paris"}' }])
  expect(joined(await read('Antwort: Ja.', { labels }), 'text-delta')).toBe('Ja.')
  expect(JSON.stringify(await read('Hm.', { labels }))).toMatch(/\\"Aktion:\\".*\\"Eingabe:\\".*\\"Antwort:\\"/)
})

it('reports a final answer that was cut off', async () => {
  const parts = await read([text('Final Answer: Once upon'), finish('length')])

  expect(joined(parts, 'text-delta')).toBe('Once upon')
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'length' } })
})

it.each<[string, readonly Part[], string | undefined]>([
  ['that just ends', [text(action.slice(0, -4))], undefined],
  [
    'of which its package says that it just ended',
    [text(action.slice(0, -4)), { ...finish('other'), finishReason: { unified: 'other', raw: undefined } } as Part],
    'other',
  ],
  ['that was filtered', [text('Thought: I'), finish('content-filter')], 'content-filter'],
])('makes no step of a stream %s', async (_, stream, unified) => {
  const parts = await read(stream)

  expect(callsIn(parts)).toEqual([])
  expect(finishOf(parts)).toEqual(
    unified && expect.objectContaining({ finishReason: expect.objectContaining({ unified }) }),
  )
})

it('lets no turn of calls count as whole that the provider says has failed', async () => {
  const called = text('<tool_call>{"name": "search", "arguments": {"query": "Paris"}}</tool_call>')

  const parts = await read([called, finish('error')], { format: 'xml-tool-call' })

  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'error' } })
})

it('takes a step that was whole before its stream broke off', async () => {
  const parts = await read([text(action)])

  expect(callsIn(parts)).toHaveLength(1)
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'tool-calls', raw: 'step-complete' } })
})

it('passes on what is not a text', async () => {
  const others: Part[] = [
    { type: 'stream-start', warnings: [{ type: 'other', message: 'Slow today.' }] },
    { type: 'response-metadata', id: 'r-1' },
    { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
  ]

  const parts = await read([...others, text('Final Answer: Yes.'), finish('stop')])

  expect(parts.slice(0, 3)).toEqual(others)
})

it('takes a call that the server found in the text itself for the step', async () => {
  const call: Part = { type: 'tool-call', toolCallId: 'x', toolName: 'search', input: '{}' }

  const parts = await read([call, finish('tool-calls')])

  expect(callsIn(parts)).toEqual([call])
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
})

it('sends back a step that it cannot read, with what was written and what is wrong', async () => {
  const parts = await read('I think I should search.')

  expect(callsIn(parts)).toEqual([
    {
      type: 'tool-call',
      toolCallId: 'action-1',
      toolName: 'malformed_step',
      input: '{"text":"I think I should search."}',
      providerMetadata: { interleave: { problem: expect.stringMatching(/\w{4}/) } },
    },
  ])
  expect(joined(parts, 'text-delta')).toBe('')
  expect(finishOf(parts)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
})

it('sends back a message that is empty', async () => {
  expect(callsIn(await read([finish('stop')]))).toMatchObject([{ toolName: 'malformed_step', input: '{"text":""}' }])
})

it('fails at once where no malformed step is allowed', async () => {
  const parts = await read('I think.', { malformed: 1 })

  expect(parts).toContainEqual({ type: 'error', error: expect.objectContaining({ code: 'model_malformed' }) })
  expect(callsIn(parts)).toEqual([])
})

it.each<[string, TextModeOptions]>([
  ['it is told to', { unlabelled: 'answer' }],
  ['the format has no mark for answers', { format: 'xml-tool-call' }],
])('takes a text without labels for the answer where %s', async (_, options) => {
  const parts = await read('It is Paris, of course.', options)

  expect(joined(parts, 'text-delta')).toBe('It is Paris, of course.')
  expect(joined(parts, 'reasoning-delta')).toBe('')
  expect(callsIn(parts)).toEqual([])
})

it('takes what follows a thought in tags for the answer, and nothing of the thought', async () => {
  const written = '<think>Action: is a word.</think>\nIt is Paris.'

  for (const turn of [[text(written), finish('stop')], [...written].map(text).concat(finish('stop'))]) {
    const parts = await read(turn, { format: 'xml-tool-call' })
    expect(joined(parts, 'text-delta')).toBe('It is Paris.')
    expect(callsIn(parts)).toEqual([])
  }
})

it('does not take half a step for the answer', async () => {
  const parts = await read('Thought: I look.\nAction: search', { unlabelled: 'answer', format: 'mrkl' })

  expect(callsIn(parts)).toMatchObject([{ toolName: 'malformed_step' }])
})

it('asks on after a thought that is a step of its own', async () => {
  const model = scriptedModel('> think: A desk.', '> go to desk 1')

  const parts = await partsOf(model, { format: 'alfworld-think' })

  expect(joined(parts, 'reasoning-delta')).toBe('A desk.')
  expect(callsIn(parts)).toMatchObject([{ toolName: 'search', input: '{"query":"go to desk 1"}' }])
  expect(model.calls[1]?.prompt.slice(-2)).toMatchObject([
    { role: 'assistant', content: [{ text: '> think: A desk.' }] },
    { role: 'user', content: [{ text: 'OK.' }] },
  ])
  expect(finishOf(parts)).toMatchObject({ usage: { inputTokens: { total: 20 }, outputTokens: { total: 10 } } })
})

it('demands an action after too many thoughts', async () => {
  const model = scriptedModel(...Array.from({ length: 4 }, () => '> think: Hm.'))

  expect(callsIn(await partsOf(model, { format: 'alfworld-think' }))).toMatchObject([{ toolName: 'malformed_step' }])
})

it('cancels the stream of the model when its reader is gone', async () => {
  const { model, seen } = endless('Thought: I')
  const { stream } = await textMode(model).doStream(params())
  const reader = stream.getReader()
  await reader.read()

  await reader.cancel()

  expect(seen.cancelled).toBe(true)
})

it('asks a model as it is where there are no tools', async () => {
  const model = scriptedModel('Hello.')

  const parts = await partsOf(model, {}, { tools: [] })

  expect(joined(parts, 'text-delta')).toBe('Hello.')
  expect(model.calls[0]?.prompt).toEqual(params().prompt)
})

it('gives the same without streaming', async () => {
  const result = await textMode(scriptedModel(action)).doGenerate(params())

  expect(result.content).toMatchObject([
    { type: 'reasoning', text: 'I look.' },
    { type: 'tool-call', toolName: 'search', input: '{"query":"Paris"}' },
  ])
  expect(result.finishReason.unified).toBe('tool-calls')
  expect(result.usage).toMatchObject(usage)
})
