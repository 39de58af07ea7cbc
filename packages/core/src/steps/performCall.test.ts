import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, choice, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { scriptedModel } from '../testing/index.ts'

it('asks a question that is open after a reload, and nothing else', async () => {
  const book = tool({
    inputSchema: z.object({}),
    execute: async (_, { ask }) => `Booked ${await ask(choice({ prompt: 'Which?', options: ['TP1', 'TP2'] }))}`,
  })
  const planner = agent({
    name: 'planner',
    model: scriptedModel({ calls: [{ name: 'book', input: {} }] }, 'Done.'),
    tools: { book },
  })
  const journal = memoryJournal()
  await planner.start('Go', { journal, id: 'trip' }).settled

  const run = await planner.resume('trip', { journal })
  await new Promise((resolve) => setTimeout(resolve))
  const asked = run.state.asks
  await run.reply('1/tool/0/ask/0', 'TP2')

  expect(asked).toMatchObject([{ kind: 'choice', prompt: 'Which?' }])
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
})
