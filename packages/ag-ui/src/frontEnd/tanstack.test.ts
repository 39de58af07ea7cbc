import { agent, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { ChatClient, fetchServerSentEvents } from '@tanstack/ai-client'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { serve } from '../testing/serve.ts'

const book = tool({
  inputSchema: z.object({ people: z.number() }),
  execute: async ({ people }, { ask }) =>
    `A table for ${people} at ${await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))}.`,
})

/** The texts, calls and results of a message. */
const partsOf = ({ role, parts }: ReturnType<ChatClient['getMessages']>[number]) => [
  role,
  ...parts.map((part) => ('name' in part ? part.name : 'content' in part ? part.content : part.type)),
]

it('is read by the client of TanStack AI, which answers a question and says more', async () => {
  const model = scriptedModel(
    { text: 'Let me see.', calls: [{ name: 'book', input: { people: 2 } }] },
    'See you.',
    'Yes, it is.',
  )
  const served = await serve({ agents: [agent({ name: 'waiter', model, tools: { book } })] })
  const errors: Error[] = []
  const client = new ChatClient({
    connection: fetchServerSentEvents(served.url),
    onError: (error) => void errors.push(error),
  })

  await client.sendMessage('A table for two')
  const [interrupt] = client.getInterrupts()
  expect(interrupt).toMatchObject({ message: 'When?', responseSchema: { type: 'string' } })
  await client.resumeInterruptsUnsafe([{ interruptId: interrupt?.id ?? '', status: 'resolved', payload: '20:30' }])
  expect(client.getInterrupts()).toEqual([])
  await client.sendMessage('Is it by the window?')

  expect(errors).toEqual([])
  expect(client.getMessages().map(partsOf)).toEqual([
    ['user', 'A table for two'],
    ['assistant', 'Let me see.', 'book', 'A table for 2 at 20:30.'],
    ['assistant', 'See you.'],
    ['user', 'Is it by the window?'],
    ['assistant', 'Yes, it is.'],
  ])
  client.dispose?.()
  await served.close()
})
