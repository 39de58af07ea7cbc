import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type Agent, agent, approval, reasonAct, textAnswer, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { noUsage } from '@interleave/core/internal'
import { failureSentences, type Recorder, recorder } from '@interleave/core/observe'
import { block, guardOutput, postprocess } from '@interleave/core/steps'
import { askUser } from '@interleave/core/tools'
import { manualModel } from '@interleave/test-kit/manualModel'
import { readMessages } from '@interleave/test-kit/readMessages'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { toUIMessages, uiMessageChunks } from './index.ts'

const inputSchema = z.object({})
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
const finish = (unified: 'stop' | 'tool-calls') =>
  ({ type: 'finish', finishReason: { unified, raw: unified }, usage }) as const
const said = (delta: string): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta },
]

function eventsOf(observer: Recorder) {
  const { events, live = [] } = observer.export()
  return events.flatMap((event) => [
    ...live.filter(({ after }) => after === event.seq).map((each) => each.event),
    event,
  ])
}
/** Returns all events of a run, live events in their places, until it settles. */
async function told(agentOf: Agent, input = 'Go') {
  const observer = recorder({ live: true })
  const run = agentOf.start(input, { id: 'r', observers: [observer] })
  await run.settled
  const chunks = () => [...uiMessageChunks(eventsOf(observer))]
  return { run, chunks, read: async () => readMessages(chunks()) }
}
const typesOf = (chunks: readonly { type: string }[]): string[] => chunks.map(({ type }) => type)
const lastParts = ({ messages }: Awaited<ReturnType<typeof readMessages>>) => messages.at(-1)?.parts ?? []

it('streams a turn and its call as they arrive', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel({ reasoning: 'Hm.', text: 'I look.', calls: [{ name: 'look', input: {} }] }, 'Done.')
  const { chunks } = await told(agent({ name: 'a', model, tools: { look } }))

  expect(typesOf(chunks())).toEqual([
    ...['start', 'start-step', 'reasoning-start', 'reasoning-delta', 'reasoning-end'],
    ...['text-start', 'text-delta', 'text-delta', 'text-end', 'tool-input-start', 'tool-input-delta'],
    ...['tool-input-available', 'tool-output-available', 'finish-step'],
    ...['start-step', 'text-start', 'text-delta', 'text-end', 'finish-step', 'finish'],
  ])
})

it('takes half a text back when the model is asked again', async () => {
  const model = scriptedModel(
    [...said('Half a'), { type: 'error', error: { status: 503, message: 'Overloaded' } }],
    'Whole.',
  )
  const { chunks, read } = await told(agent({ name: 'a', model, backend: reasonAct({ think: { retryDelayMs: 0 } }) }))

  expect(typesOf(chunks())).toEqual(expect.arrayContaining(['data-retrying', 'reset-step']))
  expect(lastParts(await read())).toEqual([{ type: 'step-start' }, { type: 'text', text: 'Whole.', state: 'done' }])
})

it('shows nothing of a turn that failed, and gives the sentence of its code', async () => {
  const model = scriptedModel([...said('Half a'), { type: 'error', error: 'Broken' }])
  const { read } = await told(agent({ name: 'a', model }))

  const { messages, errors } = await read()

  expect(messages[0]?.parts).toEqual([{ type: 'step-start' }])
  expect(messages[0]?.metadata).toMatchObject({ signal: 'failed' })
  expect(errors).toEqual([`Error: ${failureSentences.model_failed}`])
})

it('keeps the words of a turn that was stopped, and none of its calls', async () => {
  const observer = recorder({ live: true })
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go', { observers: [observer] })
  await model.called(1)
  const received = new Promise((resolve) => run.subscribe(({ type }) => type === 'delta' && resolve(type)))
  model.say('Half a')
  await received
  await run.stop()
  const chunks = [...uiMessageChunks(eventsOf(observer))]

  expect(lastParts(await readMessages(chunks))).toEqual([
    { type: 'step-start' },
    { type: 'text', text: 'Half a', state: 'done' },
  ])
  expect(chunks.slice(-2)).toMatchObject([{ type: 'abort' }, { type: 'finish', finishReason: 'interrupted' }])
})

it('distinguishes calls with the same id', async () => {
  const input = '{}'
  const twice = [1, 2].map(() => ({ type: 'tool-call', toolCallId: 'c', toolName: 'look', input }) as const)
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel([...twice, finish('tool-calls')], [...twice, finish('tool-calls')], 'Done.')
  const { read } = await told(agent({ name: 'a', model, tools: { look } }))

  const calls = lastParts(await read()).filter((part) => 'toolCallId' in part)

  expect(calls.map((part) => 'toolCallId' in part && part.toolCallId)).toEqual(['1-c', '1-c-2', '2-c', '2-c-2'])
  expect(calls.map((part) => 'state' in part && part.state)).toEqual(Array(4).fill('output-available'))
})

it('shows sources, files and what a provider did itself', async () => {
  const model = scriptedModel([
    { type: 'tool-call', toolCallId: 's', toolName: 'search', input: '{"q":"x"}', providerExecuted: true },
    { type: 'tool-result', toolCallId: 's', toolName: 'search', result: { hits: 1 } },
    { type: 'source', sourceType: 'url', id: '1', url: 'https://a.example', title: 'A' },
    { type: 'source', sourceType: 'document', id: '2', mediaType: 'text/plain', title: 'B' },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
    ...said('Found.'),
    finish('stop'),
  ])
  const { read } = await told(agent({ name: 'a', model }))

  expect(lastParts(await read())).toMatchObject([
    { type: 'step-start' },
    { type: 'tool-search', providerExecuted: true, state: 'output-available', output: { hits: 1 } },
    { type: 'source-url', sourceId: '1', url: 'https://a.example', title: 'A' },
    { type: 'source-document', sourceId: '2', mediaType: 'text/plain', title: 'B' },
    { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
    { type: 'text', text: 'Found.' },
  ])
})

it('shows a call that cannot be read, and one that went wrong', async () => {
  const bad = tool({ inputSchema, execute: () => Promise.reject(new Error('Broken')) })
  const calls = [
    { name: 'bad', input: '{' },
    { name: 'bad', input: {} },
  ]
  const { read } = await told(agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools: { bad } }))

  expect(lastParts(await read()).slice(1, 3)).toMatchObject([
    { state: 'output-error', input: '{', errorText: failureSentences.tool_failed },
    { state: 'output-error', input: {}, errorText: failureSentences.tool_failed },
  ])
})

it('shows the input that a user changed', async () => {
  const pay = tool({
    inputSchema: z.object({ sum: z.number() }),
    approve: approval(),
    execute: ({ sum }) => `paid ${sum}`,
  })
  const model = scriptedModel({ calls: [{ name: 'pay', input: { sum: 9 } }] }, 'Done.')
  const { run, read } = await told(agent({ name: 'a', model, tools: { pay } }))
  await run.reply('1/tool/0/approval', { approved: true, input: { sum: 1 } })
  await run.settled

  expect(lastParts(await read())[1]).toMatchObject({
    state: 'output-available',
    input: { sum: 1 },
    output: 'paid 1',
    approval: { approved: true },
  })
})

it('asks for a child run with its own call', async () => {
  const pay = tool({ inputSchema, approve: approval(), execute: () => 'paid' })
  const clerk = agent({
    name: 'clerk',
    model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }, 'Paid.'),
    tools: { pay },
  })
  const model = scriptedModel({ calls: [{ name: 'clerk', input: { task: 'Pay' } }] }, 'Done.')
  const tools = { clerk: agentTool(clerk, { description: 'Pays.' }) }
  const { run, read } = await told(agent({ name: 'a', model, tools }))
  const asked = lastParts(await read()).find(({ type }) => type === 'dynamic-tool')
  expect(asked).toMatchObject({ toolName: 'pay', title: 'pay (clerk)', state: 'approval-requested' })

  await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
  await run.settled

  expect(lastParts(await read()).find(({ type }) => type === 'dynamic-tool')).toMatchObject({
    state: 'output-available',
  })
})

it('shows a limit as data, in a step of its own', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const { run, read, chunks } = await told(
    agent({ name: 'a', model, tools: { look }, backend: reasonAct({ limits: { iterations: 1 } }) }),
  )
  expect(lastParts(await read()).slice(-2)).toMatchObject([
    { type: 'step-start' },
    { type: 'data-limit', data: { runId: 'r', state: 'open', ask: { limit: 'iterations' } } },
  ])
  expect(chunks().at(-1)).toMatchObject({ finishReason: 'interrupted' })

  await run.reply(run.state.asks[0]?.id ?? '', { extend: 1 })
  await run.settled

  expect(lastParts(await read())).toMatchObject(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'data-limit',
        data: expect.objectContaining({ state: 'answered', reply: { extend: 1 } }),
      }),
    ]),
  )
})

it('shows a question of the model as data, and withdraws it when the run is stopped', async () => {
  const ask = askUser()
  const model = scriptedModel({ calls: [{ name: 'ask', input: { question: 'Where?', kind: 'text' } }] })
  const { run, read } = await told(agent({ name: 'a', model, tools: { ask } }))
  expect(lastParts(await read()).at(-1)).toMatchObject({ type: 'data-ask', data: { state: 'open' } })

  await run.stop()

  expect(lastParts(await read()).at(-1)).toMatchObject({ type: 'data-ask', data: { state: 'withdrawn' } })
})

it('shows the answer as it was changed, and not as the model wrote it', async () => {
  const backend = reasonAct({ stop: postprocess(textAnswer(), (text: string) => text.replace('secret', '…')) })
  const { read } = await told(agent({ name: 'a', model: scriptedModel('It is secret.'), backend }))

  expect(lastParts(await read())).toMatchObject([{ type: 'step-start' }, { type: 'text', text: 'It is ….' }])
})

it('shows nothing of an answer that a guard blocks', async () => {
  const backend = reasonAct({ stop: guardOutput(textAnswer(), () => block('Not that.')) })
  const { read } = await told(agent({ name: 'a', model: scriptedModel('It is secret.'), backend }))

  const { messages, errors } = await read()

  expect(JSON.stringify(messages)).not.toContain('secret')
  expect(errors.join()).toContain('Not that.')
})

it('formats a failure with onError', async () => {
  const observer = recorder()
  await agent({ name: 'a', model: scriptedModel(new Error('Key abc')) }).start('Go', { observers: [observer] }).settled

  const chunks = [...uiMessageChunks(observer.export().events, { onError: ({ code }) => `It failed: ${code}.` })]

  expect(chunks.at(-1)).toEqual({ type: 'error', errorText: 'It failed: model_failed.' })
})

it('gives the messages of the user their keys as ids, and what they came with', () => {
  const stamp = { at: 0, iteration: 0 }
  const file = {
    type: 'file',
    mediaType: 'text/plain',
    filename: 'a.txt',
    data: { type: 'data', data: 'AAAA' },
  } as const
  const messages = toUIMessages([
    { ...stamp, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' },
    { ...stamp, seq: 1, type: 'said', by: 'user', content: [file, { type: 'text', text: 'Read' }], key: 'k' },
    { ...stamp, seq: 2, type: 'said', by: 'user', content: 'Now' },
  ])

  expect(messages).toEqual([
    {
      id: 'k',
      role: 'user',
      parts: [
        { type: 'file', mediaType: 'text/plain', filename: 'a.txt', url: 'data:text/plain;base64,AAAA' },
        { type: 'text', text: 'Read' },
      ],
    },
    { id: 'r/2', role: 'user', parts: [{ type: 'text', text: 'Now' }] },
  ])
})

it('shows what it can of the files of a log that has no data of one, and half a character in another', () => {
  const stamp = { at: 0, iteration: 0 }
  const text = { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: '\ud800!' } } as const
  const model = { provider: 'p', modelId: 'm' }
  const parts = JSON.parse('[{"type":"file","mediaType":"image/png","data":null},{"type":"text","text":"Here."}]')
  const messages = toUIMessages([
    { ...stamp, seq: 0, type: 'started', runId: 'r', agent: 'a', version: '1' },
    { ...stamp, seq: 1, type: 'said', by: 'user', content: [text] },
    { ...stamp, seq: 2, iteration: 1, type: 'thought', model, parts, usage: noUsage, ms: 0, readUntil: 2 },
  ])

  expect(messages).toMatchObject([
    { parts: [{ type: 'file', url: 'data:text/plain,%EF%BF%BD!' }] },
    { parts: [{ type: 'step-start' }, { type: 'text', text: 'Here.' }] },
  ])
})
