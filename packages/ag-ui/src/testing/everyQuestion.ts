import { type Agent, agent, approval, choice, choices, confirm, form, link, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

/** Creates an agent whose only tool asks every kind of question, and then books. */
export function everyQuestion(booked: unknown[] = []): Agent {
  const book = tool({
    inputSchema: z.object({ people: z.number() }),
    approve: approval(),
    execute: async ({ people }, { ask, once }) => {
      const at = await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))
      const extras = await ask(choices({ prompt: 'Extras?', options: ['window', 'candles', 'cake'], max: 2 }))
      const word = await ask(text({ prompt: 'A word?', maxLength: 20 }))
      const { name } = await ask(form({ prompt: 'Who?', schema: z.object({ name: z.string().min(2) }) }))
      await ask(link({ prompt: 'Pay', url: 'https://pay.example/x' }))
      const sure = await ask(confirm({ prompt: 'Sure?' }))
      return once('book', () => {
        booked.push({ people, at, extras, word, name, sure })
        return `Booked for ${people}.`
      })
    },
  })
  const model = scriptedModel(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool')
      ? { reasoning: 'That was it.', text: 'See you.' }
      : { reasoning: 'A table.', text: 'I book.', calls: [{ name: 'book', input: { people: 2 } }] },
  )
  return agent({ name: 'guide', model, tools: { book } })
}

/** The payloads that answer its questions, in order. */
export const payloads: readonly unknown[] = [
  { approved: true, editedArgs: { people: 3 } },
  '20:30',
  ['cake'],
  'please',
  { name: 'Ada' },
  'done',
  true,
]

export const booking = { people: 3, at: '20:30', extras: ['cake'], word: 'please', name: 'Ada', sure: true }
