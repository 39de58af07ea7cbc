import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { asking } from './capabilities/questions/ask.ts'
import { agent, choice, choices, confirm, text, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'

const none = undefined as unknown as string

it.each([
  ['no prompt', () => confirm({ prompt: none }), 'prompt'],
  ['a prompt that is no text', () => text({ prompt: { en: 'Who?' } as never }), 'prompt'],
  ['an option that is no text', () => choice({ prompt: 'Which?', options: [7 as never] }), 'options.0.value'],
  [
    'a price that is no text',
    () => choice({ prompt: 'Which?', options: [{ value: 'a', detail: 129 as never }] }),
    'detail',
  ],
  [
    'a description that is null',
    () => choice({ prompt: 'Which?', options: [{ value: 'a', description: null as never }] }),
    'options.0.description',
  ],
  [
    'an asker that is no text',
    () => asking({ kind: 'confirm', prompt: 'Who?', yes: 'I', no: 'They', asker: 7 as never }),
    'asker',
  ],
  ['a schema that is a list', () => asking({ kind: 'form', prompt: 'Who?', schema: [] as never }), 'schema'],
  ['a bound that is no number', () => choices({ prompt: 'Which?', options: ['a'], min: 'one' as never }), 'min'],
])('refuses a question with %s where it is asked, and keeps the run', async (_, question, wrong) => {
  const journal = memoryJournal()
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(question() as never) })
  const described = agent({
    name: 'a',
    model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.'),
    tools: { ask },
  })
  const run = described.start('Go', { id: 'r', journal })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(run.state.history)).toContain(wrong)
  expect((await described.resume('r', { journal })).state).toEqual(run.state)
})

it('says without a journal, too, which text of an option is wrong', async () => {
  const ask = tool({
    inputSchema: z.object({}),
    execute: (_, context) => context.ask(choice({ prompt: 'Which?', options: [{ value: 'a', badge: {} as never }] })),
  })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { ask } }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(run.state.history)).toContain('options.0.badge')
})
