import { agent, choice, tool } from '@interleave/core'
import * as z from 'zod'
import { model } from './model.ts'

export const bookTable = tool({
  description: 'Books a table in a restaurant.',
  inputSchema: z.object({ people: z.number().int().positive() }),
  execute: async ({ people }, { ask }) => {
    const time = await ask(choice({ prompt: 'When?', options: ['18:00', '20:30'] }))
    return `Booked for ${people} at ${time}.`
  },
})

export const waiter = agent({ name: 'waiter', model, instructions: 'You take bookings.', tools: { bookTable } })
