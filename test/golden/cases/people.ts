import { agent, approval, choice, tool } from '@interleave/core'
import { askUser } from '@interleave/core/tools'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import type { GoldenCase } from '../GoldenCase.ts'
import { calling, look, looking } from './tools.ts'

const book = tool({
  inputSchema: z.object({ people: z.number() }),
  approve: approval(),
  execute: async ({ people }, { ask, once }) => {
    const time = await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))
    return once('book', () => `Booked for ${people} at ${time}.`)
  },
})

export const people: readonly GoldenCase[] = [
  {
    name: 'approval-edited-then-a-question',
    agent: agent({
      name: 'waiter',
      model: scriptedModel(calling('book', { people: 4 }), 'Booked.'),
      tools: { book },
    }),
    input: 'A table for four',
    whenSettled: [
      (run) => run.reply('1/tool/0/approval', { approved: true, input: { people: 5 } }),
      (run) => run.reply('1/tool/0/ask/0', '20:30'),
    ],
  },
  {
    name: 'question-of-the-model',
    agent: agent({
      name: 'asking',
      model: scriptedModel(
        calling('askUser', { question: 'Green or black?', kind: 'choice', options: ['Green', 'Black'] }),
        'Green it is.',
      ),
      tools: { askUser: askUser() },
    }),
    input: 'Make tea',
    whenSettled: [(run) => run.reply('1/tool/0/ask/0', 'Green')],
  },
  {
    name: 'conversation-over-two-messages',
    agent: agent({
      name: 'talking',
      model: scriptedModel({ reasoning: 'They want tea.', text: 'Tea?' }, looking('milk'), 'With milk.'),
      tools: { look },
    }),
    input: 'Hello',
    whenSettled: [(run) => run.say('Milk?')],
  },
  {
    name: 'failing-and-unknown-tools-in-parallel',
    agent: agent({
      name: 'clumsy',
      model: scriptedModel(
        {
          calls: [calling('look', { what: 'a' }), calling('look', {}), calling('missing', {})].flatMap(
            ({ calls }) => calls,
          ),
        },
        'One of three.',
      ),
      tools: { look },
    }),
    input: 'Try',
  },
]
