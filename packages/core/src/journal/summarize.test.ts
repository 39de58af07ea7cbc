import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent } from '../agent.ts'
import { choice } from '../index.ts'
import { tool } from '../tool.ts'
import { memoryJournal } from './memoryJournal.ts'

const pick = tool({
  inputSchema: z.object({}),
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})
const picker = () =>
  agent({ name: 'picker', model: scriptedModel({ calls: [{ name: 'pick', input: {} }] }, 'It is a.'), tools: { pick } })

it('lists a run that waits as one that waits, also after it is continued with', async () => {
  const journal = memoryJournal()
  await picker().start('Pick one', { id: 'r', journal }).settled

  const run = await picker().resume('r', { journal })
  await new Promise((resolve) => setTimeout(resolve))
  expect(await journal.read('r')).toHaveLength(run.state.seq)
  expect(journal.list()).toMatchObject([{ signal: run.state.signal?.type }])
  expect(run.state.signal?.type).toBe('inputNeeded')
  await run.say('Soon.')
  expect(journal.list()).toMatchObject([{ signal: 'inputNeeded' }])
})

it('cuts a title between characters', async () => {
  const journal = memoryJournal()
  const talker = agent({ name: 'a', model: scriptedModel('Hi.') })
  await talker.start(`${'x'.repeat(119)}😀😀`, { journal }).settled

  expect((await journal.list())[0]?.title).toBe('x'.repeat(119))
})

it('lists a run that works again without a rest', async () => {
  const journal = memoryJournal()
  const run = picker().start('Pick one', { id: 'r', journal })
  await run.settled

  await run.reply(run.state.asks[0]?.id ?? '', 'a')

  expect((await journal.list())[0]?.signal).toBeUndefined()
  await run.settled
  expect(journal.list()).toMatchObject([{ signal: 'answer' }])
})
