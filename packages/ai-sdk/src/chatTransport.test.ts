import { type Agent, agent, answer, approval, choice, elsewhere, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { failureSentences } from '@interleave/core/observe'
import { inAnotherProcess } from '@interleave/test-kit/inAnotherProcess'
import { manualModel } from '@interleave/test-kit/manualModel'
import { type TestChat, testChat } from '@interleave/test-kit/testChat'
import { until } from '@interleave/test-kit/until'
import type { ScriptedTurn } from '@interleave/testing'
import { scriptedModel } from '@interleave/testing'
import { lastAssistantMessageIsCompleteWithApprovalResponses, lastAssistantMessageIsCompleteWithToolCalls } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { chatTransport, replyTo } from './index.ts'

const inputSchema = z.object({})
const call = (name: string, input: object = {}) => ({ text: 'Let me see.', calls: [{ name, input }] })
const guide = (...turns: ScriptedTurn[]) => agent({ name: 'guide', model: scriptedModel(...turns), tools: toolsOf() })
const toolsOf = () => ({
  pay: tool({ inputSchema, approve: approval(), execute: () => 'paid' }),
  ask: tool({
    inputSchema,
    execute: (_, run) => run.ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
  }),
  here: tool({ inputSchema, execute: elsewhere(z.object({ city: z.string() })) }),
  look: tool({
    inputSchema,
    async *execute() {
      yield 'looking'
      yield 'seen'
    },
  }),
})

/** A chat with everything a page would have. */
function open(handle: Agent, { journal = memoryJournal(), ...init } = {}) {
  const transport = chatTransport(handle, { journal })
  const sends = ({ messages }: { messages: TestChat['messages'] }) =>
    lastAssistantMessageIsCompleteWithApprovalResponses({ messages }) ||
    lastAssistantMessageIsCompleteWithToolCalls({ messages })
  const chat = testChat({ id: 'chat', transport, sendAutomaticallyWhen: sends, ...init })
  return { chat, transport, journal }
}
const textOf = (message?: TestChat['messages'][number]) =>
  message?.parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('|')
const partsOf = ({ messages }: TestChat, type: string) =>
  messages.flatMap(({ parts }) => parts).filter((part) => part.type === type)
it('begins a run with the chat, and shows its tools and its answer', async () => {
  const { chat, transport } = open(guide(call('look'), 'It is there.'))

  await chat.sendMessage({ text: 'Where?' })

  expect(chat.status).toBe('ready')
  expect(textOf(chat.lastMessage)).toBe('Let me see.|It is there.')
  expect(partsOf(chat, 'tool-look')).toMatchObject([{ state: 'output-available', output: 'seen' }])
  expect(await transport.messages('chat')).toEqual(JSON.parse(JSON.stringify(chat.messages)))
})

it('continues the run at the next message', async () => {
  const { chat, transport } = open(guide('One.', ({ prompt }) => `${prompt.length}`))

  await chat.sendMessage({ text: 'A' })
  await chat.sendMessage({ text: 'B' })

  expect(chat.messages.map(textOf)).toEqual(['A', 'One.', 'B', '3'])
  expect((await transport.messages('chat')).map(({ id }) => id)).toEqual(chat.messages.map(({ id }) => id))
})

it('keeps at most a hundred runs that have ended, and opens others from the journal', async () => {
  const journal = memoryJournal()
  const { transport } = open(
    guide(() => 'Hi.'),
    { journal },
  )
  const send = (id: string, text: string) => testChat({ id, transport }).sendMessage({ text })
  await send('chat', 'A')
  const first = await transport.run('chat')
  for (let index = 0; index < 100; index++) await send(`chat-${index}`, 'A')

  const again = await transport.run('chat')

  expect(again).not.toBe(first)
  expect(again?.state.signal).toMatchObject({ output: 'Hi.' })
  expect(await transport.run('chat-99')).toBe(await transport.run('chat-99'))
})

it('says a message once, however often it is sent', async () => {
  const { chat, transport } = open(guide('One.', 'Two.'))
  await chat.sendMessage({ text: 'A' })
  const [message] = chat.messages
  const again = { trigger: 'submit-message', chatId: 'chat', messageId: undefined, abortSignal: undefined } as const

  await Promise.all([1, 2].map(() => transport.sendMessages({ ...again, messages: message ? [message] : [] })))

  expect((await transport.messages('chat')).map(textOf)).toEqual(['A', 'One.'])
})

it.each([
  [true, 'output-available', 'Done.'],
  [false, 'output-denied', 'As you like.'],
])('asks whether a call may run: %s', async (approved, state, end) => {
  const { chat, transport } = open(
    guide(call('pay'), ({ prompt }) => (JSON.stringify(prompt).includes('paid') ? 'Done.' : 'As you like.')),
  )
  await chat.sendMessage({ text: 'Pay' })
  expect(partsOf(chat, 'tool-pay')).toMatchObject([
    { state: 'approval-requested', approval: { requestReason: 'Allow pay?' } },
  ])

  await chat.addToolApprovalResponse({ id: '1/tool/0/approval', approved, reason: 'So.' })
  await until(() => textOf(chat.lastMessage)?.endsWith(end))

  expect(partsOf(chat, 'tool-pay')).toMatchObject([{ state, approval: { approved } }])
  expect(chat.messages).toHaveLength(2)
  expect(await transport.messages('chat')).toEqual(JSON.parse(JSON.stringify(chat.messages)))
})

it('asks again after the page was loaded again', async () => {
  const journal = memoryJournal()
  const before = open(guide(call('pay')), { journal })
  await before.chat.sendMessage({ text: 'Pay' })
  const { transport } = open(guide('Paid.'), { journal })
  const { chat } = open(guide('Paid.'), { journal, messages: await transport.messages('chat') } as object)

  await chat.addToolApprovalResponse({ id: '1/tool/0/approval', approved: true })
  await until(() => textOf(chat.lastMessage)?.endsWith('Paid.'))

  expect(partsOf(chat, 'tool-pay')).toMatchObject([{ state: 'output-available', output: 'paid' }])
})

it('answers any question with replyTo', async () => {
  const { chat } = open(guide(call('ask'), 'Fine.'))
  await chat.sendMessage({ text: 'Go' })
  const [asked] = partsOf(chat, 'data-ask')
  expect(asked).toMatchObject({ data: { state: 'open', ask: { kind: 'choice', prompt: 'Which?' } } })

  await chat.sendMessage(undefined, replyTo(asked && 'data' in asked ? (asked.data as never) : '', 'b'))

  expect(partsOf(chat, 'data-ask')).toMatchObject([{ data: { state: 'answered', reply: 'b' } }])
  expect(partsOf(chat, 'tool-ask')).toMatchObject([{ state: 'output-available', output: 'b' }])
  expect(textOf(chat.lastMessage)).toBe('Let me see.|Fine.')
})

it('takes the output of a tool that the chat carries out', async () => {
  const { chat } = open(guide(call('here'), 'In Bonn.'))
  await chat.sendMessage({ text: 'Where am I?' })
  const [part] = partsOf(chat, 'tool-here')

  await chat.addToolOutput({
    tool: 'here',
    toolCallId: part && 'toolCallId' in part ? part.toolCallId : '',
    output: { city: 'Bonn' },
  })
  await until(() => textOf(chat.lastMessage)?.endsWith('In Bonn.'))

  expect(partsOf(chat, 'tool-here')).toMatchObject([{ state: 'output-available', output: { city: 'Bonn' } }])
  expect(partsOf(chat, 'data-ask')).toMatchObject([{ data: { state: 'answered' } }])
})

it('refuses a message while a question is open, and says why', async () => {
  const { chat } = open(guide(call('ask')))
  await chat.sendMessage({ text: 'Go' })

  await chat.sendMessage({ text: 'Hurry' })

  expect(chat.error?.message).toContain('waits for an answer to "Which?"')
})

it('receives a message while it works, and answers it in its own message', async () => {
  const model = manualModel()
  const { chat } = open(agent({ name: 'guide', model }))
  const first = chat.sendMessage({ text: 'A' })
  await model.called(1)
  model.say('One.')
  await until(() => textOf(chat.lastMessage) === 'One.')
  const second = chat.sendMessage({ text: 'B' })
  await until(() => chat.messages.length === 3)
  model.end()
  await model.called(2)
  model.say('Two.')
  model.end()
  await Promise.all([first, second])

  expect(chat.messages.map(textOf)).toEqual(['A', 'One.', 'B', 'Two.'])
})

it('shows what had streamed when it is reconnected, and continues', async () => {
  const model = manualModel()
  const { chat, transport } = open(agent({ name: 'guide', model }))
  void chat.sendMessage({ text: 'A' })
  await model.called(1)
  model.say('Half ')
  await until(() => textOf(chat.lastMessage) === 'Half ')
  const again = testChat({ id: 'chat', transport, messages: await transport.messages('chat') })

  const resumed = again.resumeStream()
  await until(() => textOf(again.lastMessage) === 'Half ')
  model.say('whole.')
  model.end()
  await resumed

  expect(again.messages.map(textOf)).toEqual(['A', 'Half whole.'])
  await until(() => chat.status === 'ready')
  expect(chat.messages).toEqual(again.messages)
})

it('streams the end of an answer that came between messages() and reconnecting', async () => {
  const model = manualModel()
  const { chat, transport } = open(agent({ name: 'guide', model }))
  void chat.sendMessage({ text: 'A' })
  await model.called(1)
  model.say('Half ')
  await until(() => textOf(chat.lastMessage) === 'Half ')
  const again = testChat({ id: 'chat', transport, messages: await transport.messages('chat') })

  model.say('whole.')
  model.end()
  await until(() => chat.status === 'ready')
  await again.resumeStream()
  await again.resumeStream()

  expect(again.messages.map(textOf)).toEqual(['A', 'Half whole.'])
  expect(again.messages).toEqual(chat.messages)
})

it('streams the reply of another page between messages() and reconnecting', async () => {
  const journal = memoryJournal()
  const handle = guide(call('pay'), 'Paid.')
  const first = open(handle, { journal })
  await first.chat.sendMessage({ text: 'Pay' })
  const { transport } = first
  const again = testChat({ id: 'chat', transport, messages: await transport.messages('chat') })

  const run = await transport.run('chat')
  await run?.reply('1/tool/0/approval', { approved: true })
  await run?.settled
  await again.resumeStream()

  expect(again.messages.map(textOf)).toEqual(['Pay', 'Let me see.|Paid.'])
  expect(again.messages).toEqual(await transport.messages('chat'))
})

it('says that the chat has to be loaded again where it lacks a question', async () => {
  const { chat, transport } = open(guide('One.', 'Two.'))
  await chat.sendMessage({ text: 'A' })
  const again = testChat({ id: 'chat', transport, messages: await transport.messages('chat') })

  const run = await transport.run('chat')
  await run?.say('B')
  await run?.settled
  await again.resumeStream()

  expect(again.messages.map(textOf)).toEqual(['A', 'One.'])
  expect(again.error?.message).toMatch(/Reload the chat/)
})

it('has nothing to reconnect to if the run has settled', async () => {
  const { chat, transport } = open(guide('One.'))
  expect(await transport.reconnectToStream({ chatId: 'chat' })).toBeNull()

  await chat.sendMessage({ text: 'A' })

  expect(await transport.reconnectToStream({ chatId: 'chat' })).toBeNull()
  expect(await transport.messages('another')).toEqual([])
})

it.each([
  ['stop', 'stopped'],
  ['detach', undefined],
] as const)('does what it must when the stream is aborted: %s', async (onAbort, rest) => {
  const model = manualModel()
  const transport = chatTransport(agent({ name: 'guide', model }), { onAbort })
  const chat = testChat({ id: 'chat', transport })
  void chat.sendMessage({ text: 'A' })
  await model.called(1)
  model.say('Half ')
  await until(() => textOf(chat.lastMessage) === 'Half ')

  await chat.stop()
  const run = await transport.run('chat')
  if (rest) await run?.settled

  expect(run?.state.signal?.type).toBe(rest)
  expect(textOf(chat.lastMessage)).toBe('Half ')
  await transport.stop('chat')
})

it('streams a failure, and continues from there when the answer is made again', async () => {
  const looked: string[] = []
  const look = tool({ inputSchema, execute: () => void looked.push('once') })
  const model = scriptedModel(call('look'), new Error('No network'), 'Seen.')
  const { chat } = open(agent({ name: 'guide', model, tools: { look } }))
  await chat.sendMessage({ text: 'Look' })
  expect(chat.error?.message).toBe(failureSentences.model_failed)

  await chat.regenerate()

  expect(chat.status).toBe('ready')
  expect(textOf(chat.lastMessage)).toBe('Let me see.|Seen.')
  expect(looked).toEqual(['once'])
})

it('answers again in a new run, and keeps to it', async () => {
  const journal = memoryJournal()
  const { chat, transport } = open(guide('One.', 'Another one.', 'More.'), { journal })
  await chat.sendMessage({ text: 'A' })

  await chat.regenerate()
  await chat.sendMessage({ text: 'B' })

  expect(chat.messages.map(textOf)).toEqual(['A', 'Another one.', 'B', 'More.'])
  const { id } = (await transport.run('chat')) ?? {}
  expect(id).toBe('chat~1')
  expect((await open(guide(), { journal }).transport.messages('chat')).map(textOf)).toEqual(chat.messages.map(textOf))
})

it('answers an earlier message again, of which the chat has the answer of the run before', async () => {
  const { chat } = open(guide('One.', 'Two.', 'Another two.', 'Another one.'))
  await chat.sendMessage({ text: 'A' })
  await chat.sendMessage({ text: 'B' })
  await chat.regenerate()

  await chat.regenerate({ messageId: chat.messages[1]?.id ?? '' })

  expect(chat.error).toBeUndefined()
  expect(chat.messages.map(textOf)).toEqual(['A', 'Another one.'])
})

it('stops the run that a message was changed in', async () => {
  const model = manualModel()
  const { chat, transport } = open(agent({ name: 'guide', model }))
  void chat.sendMessage({ text: 'A' })
  await model.called(1)
  const run = await transport.run('chat')

  const changed = chat.sendMessage({ text: 'Other', messageId: chat.messages[0]?.id ?? '' })
  await model.called(2)
  model.say('Two.')
  model.end()
  await changed

  expect(run?.state.signal).toMatchObject({ type: 'stopped' })
  expect(chat.messages.map(textOf)).toEqual(['Other', 'Two.'])
})

it('answers a message that was changed', async () => {
  const { chat } = open(
    guide('One.', 'Two.', ({ prompt }) => (JSON.stringify(prompt.at(-1)).includes('Other') ? 'Three.' : '')),
  )
  await chat.sendMessage({ text: 'A' })
  await chat.sendMessage({ text: 'B' })

  await chat.sendMessage({ text: 'Other', messageId: chat.messages[2]?.id ?? '' })

  expect(chat.messages.map(textOf)).toEqual(['A', 'One.', 'Other', 'Three.'])
})

it('says what it takes to answer again', async () => {
  const chat = testChat({ id: 'chat', transport: chatTransport(guide('One.')) })
  await chat.sendMessage({ text: 'A' })

  await chat.regenerate()

  expect(chat.error?.message).toContain('chatTransport(agent, { journal })')
})

it('takes over a conversation that went before, and files', async () => {
  const model = scriptedModel('A cat.')
  const { chat } = open(agent({ name: 'guide', model }))
  chat.messages = [
    { id: '1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
    { id: '2', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Hi' }] },
  ]

  await chat.sendMessage({
    text: 'What is it?',
    files: [{ type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' }],
  })

  expect(model.calls[0]?.prompt).toMatchObject([
    { role: 'user', content: [{ text: 'Hello' }] },
    { role: 'assistant', content: [{ text: 'Hi' }] },
    { role: 'user', content: [{ type: 'file', data: { type: 'data', data: 'AAAA' } }, { text: 'What is it?' }] },
  ])
})

it('sends nothing by itself once there is nothing to answer', async () => {
  const model = scriptedModel(call('final_answer', { answer: 'Yes' }))
  const { chat } = open(agent({ name: 'guide', model, output: answer(z.object({ answer: z.string() })) }))

  await chat.sendMessage({ text: 'A' })
  await chat.sendMessage()

  expect(partsOf(chat, 'data-answer')).toMatchObject([{ data: { output: { answer: 'Yes' } } }])
  expect(model.calls).toHaveLength(1)
})

it('fails with a message to a process that has a chat in memory which another process answered', async () => {
  const journal = memoryJournal()
  const first = open(guide('One.', 'Never.'), { journal })
  await first.chat.sendMessage({ text: 'A' })
  const second = open(guide('Two.'), { journal: inAnotherProcess(journal) })
  const messages = await second.transport.messages('chat')
  const there = testChat({ id: 'chat', transport: second.transport, messages })
  await there.sendMessage({ text: 'B' })
  expect(textOf(there.lastMessage)).toBe('Two.')

  await first.chat.sendMessage({ text: 'C' })

  expect(first.chat.error?.message).toContain('Another owner took over this run.')
})
