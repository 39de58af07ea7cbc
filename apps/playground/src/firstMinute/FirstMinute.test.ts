import { agent, approval, choice, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { createEventLog } from '../run/eventLog.ts'
import { stageOf, triedIn } from './FirstMinute.tsx'

/** A run that asks, then pays what the user approves. */
async function asking() {
  const log = createEventLog()
  let answer = (): void => {}
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const pick = tool({
    inputSchema: z.object({}),
    execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
  })
  const book = tool({
    inputSchema: z.object({ travellers: z.int() }),
    approve: approval(),
    execute: async () => {
      await answered
      return 'booked'
    },
  })
  const model = scriptedModel(
    { calls: [{ name: 'pick', input: {} }] },
    { calls: [{ name: 'book', input: { travellers: 1 } }] },
    'Done.',
  )
  const run = agent({ name: 'trip', model, tools: { pick, book } }).start('Go', { observers: [log.observer] })
  await run.settled
  return { run, log, answer }
}

it('names what the run is at, and ticks what was tried', async () => {
  const { run, log, answer } = await asking()

  expect([stageOf(run.state), triedIn(log.events).answered]).toEqual(['asking', false])
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await expect.poll(() => stageOf(run.state)).toBe('approving')
  expect(triedIn(log.events)).toMatchObject({ answered: true, changed: false })
  await run.reply(run.state.asks[0]?.id ?? '', { approved: true, input: { travellers: 2 } })
  await expect.poll(() => stageOf(run.state)).toBe('paying')
  answer()
  await expect.poll(() => stageOf(run.state)).toBe('over')
  expect(triedIn(log.events, { kill: { at: 1, seq: 2 }, sawCode: true })).toEqual({
    answered: true,
    changed: true,
    killed: false,
    sawCode: true,
    sawTest: false,
  })
})
