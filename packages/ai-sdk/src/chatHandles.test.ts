import { acrossTabs } from '@interleave/connect/tabs'
import { workerHost } from '@interleave/connect/worker'
import { type AgentHandle, agent, approval, tool } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { connectPages } from '@interleave/test-kit/connectPages'
import { fakeBrowser } from '@interleave/test-kit/fakeBrowser'
import { testChat } from '@interleave/test-kit/testChat'
import { scriptedModel } from '@interleave/testing'
import { lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { chatTransport } from './index.ts'

const pause = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'paid' })
const guide = () => {
  const model = scriptedModel({ text: 'I pay.', calls: [{ name: 'pay', input: {} }] }, 'Paid.', 'Another one.', 'More.')
  return agent({ name: 'guide', model, tools: { pay } })
}

/** Two pages that have one agent, wherever that works. */
const places: [string, () => readonly [AgentHandle, AgentHandle]][] = [
  [
    'shared by tabs',
    () => {
      const { openTab } = fakeBrowser(memoryJournal(), () => pause())
      const described = guide()
      const open = () => {
        const { journal, origin } = openTab()
        return acrossTabs(described, { journal, origin, takeoverAfterMs: 100 })
      }
      return [open(), open()]
    },
  ],
  [
    'in a worker',
    () => {
      const pages = connectPages(workerHost([guide()]))
      return [pages.open('guide').agent, pages.open('guide').agent]
    },
  ],
]

it.each(places)('starts a run %s, and continues it in another page', async (_, open) => {
  const [here, there] = open()
  const first = testChat({ id: 'chat', transport: chatTransport(here) })
  await first.sendMessage({ text: 'Pay' })
  const transport = chatTransport(there)
  const second = testChat({
    id: 'chat',
    transport,
    messages: await transport.messages('chat'),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
  })
  expect(second.messages).toEqual(first.messages)

  await second.addToolApprovalResponse({ id: '1/tool/0/approval', approved: true })
  while (!JSON.stringify(second.messages).includes('Paid.') || second.status !== 'ready') await pause(2)

  expect(second.messages).toEqual(JSON.parse(JSON.stringify(await transport.messages('chat'))))
  expect(second.lastMessage?.parts).toMatchObject([
    { type: 'step-start' },
    { type: 'text', text: 'I pay.' },
    { type: 'tool-pay', state: 'output-available', output: 'paid' },
    { type: 'step-start' },
    { type: 'text', text: 'Paid.' },
  ])
})

it.each(places)('says a message to a run %s once', async (_, open) => {
  const [here, there] = open()
  const transport = chatTransport(here)
  const chat = testChat({ id: 'chat', transport })
  await chat.sendMessage({ text: 'Pay' })

  const again = { trigger: 'submit-message', chatId: 'chat', messageId: undefined, abortSignal: undefined } as const
  await chatTransport(there).sendMessages({ ...again, messages: chat.messages.slice(0, 1) })

  expect((await transport.messages('chat')).filter(({ role }) => role === 'user')).toHaveLength(1)
})

it('serves a chat that is elsewhere: by requests as they come over the wire', async () => {
  const transport = chatTransport(guide(), { journal: memoryJournal() })
  const ask = async (request: object): Promise<string> => {
    const sent = JSON.parse(JSON.stringify({ trigger: 'submit-message', ...request }))
    const stream = await transport.sendMessages({ chatId: 'chat', abortSignal: undefined, ...sent })
    let chunks = ''
    for await (const chunk of stream as unknown as AsyncIterable<object>) chunks += JSON.stringify(chunk)
    return chunks
  }
  const message = { id: 'm', role: 'user', parts: [{ type: 'text', text: 'Pay' }] }
  expect(await ask({ messages: [message] })).toContain('tool-approval-request')
  const [, answer] = await transport.messages('chat')

  const told = await ask({
    messages: [message, answer],
    body: { replies: [{ ask: '1/tool/0/approval', value: { approved: true } }] },
  })

  expect(told).toContain('Paid.')
  expect(told).toContain(`"messageId":"${answer?.id}"`)
})

it('does not show thoughts that are not to be shown', async () => {
  const model = scriptedModel({ reasoning: 'Secretly.', text: 'Aside.', calls: [{ name: 'look', input: {} }] }, 'Done.')
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const transport = chatTransport(agent({ name: 'a', model, tools: { look }, exposeReasoning: false }))
  const chat = testChat({ id: 'chat', transport })
  await chat.sendMessage({ text: 'Go' })

  const shown = JSON.stringify([chat.messages, await transport.messages('chat')])

  expect(shown).toContain('Done.')
  expect(shown).not.toMatch(/Secretly|Aside/)
})

it('refuses replies that are none', async () => {
  const chat = testChat({ id: 'chat', transport: chatTransport(guide()) })
  await chat.sendMessage({ text: 'Go' })

  await chat.sendMessage(undefined, { body: { replies: 'yes' } })

  expect(chat.error?.message).toContain('replyTo(ask, value)')
})
