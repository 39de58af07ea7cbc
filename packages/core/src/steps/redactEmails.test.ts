import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, type Json, reasonAct, tool } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'
import { planNext } from '../tools/index.ts'
import { redactEmails } from './guard.ts'

function made(found: Json, options = {}) {
  const find = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => found })
  const model = scriptedModel({ calls: [{ name: 'find', input: {} }] }, 'Done.', 'Again.')
  const backend = reasonAct({ before: [redactEmails(options)] })
  return { model, redacting: agent({ name: 'a', model, tools: { find }, backend }) }
}
const told = ({ calls }: ReturnType<typeof scriptedModel>) => JSON.stringify(calls[1]?.prompt.at(-1)?.content)

it.each<[Json, Json]>([
  ['Write to ada@example.org.', 'Write to [email].'],
  [{ people: [{ mail: 'ada.l+x@mail.example.co.uk', age: 36 }] }, { people: [{ mail: '[email]', age: 36 }] }],
  ['<zoë@exämple.de>, b@b.io', '<[email]>, [email]'],
  ['a@b, user@localhost and @name stay', 'a@b, user@localhost and @name stay'],
])('gives the model %j as %j', async (found, wanted) => {
  const { model, redacting } = made(found)
  await redacting.start('Find', { observers: [laws()] }).settled

  expect(told(model)).toContain(JSON.stringify(wanted))
})

it('keeps what the tool returned in the log, and is amended once', async () => {
  const journal = memoryJournal()
  const run = made('ada@example.org', { mark: '$&' }).redacting.start('Find', { journal })
  await run.settled
  await run.say('More')
  await run.settled

  const log = await journal.read(run.id)
  expect(log.find(({ type }) => type === 'observed')).toMatchObject({ result: { value: 'ada@example.org' } })
  expect(log.filter(({ type }) => type === 'amended')).toHaveLength(1)
  expect(JSON.stringify(run.state.history)).toContain('$&')
})

it('redacts also what was observed just before the page went away', async () => {
  const { model, redacting } = made('ada@example.org')
  const journal = memoryJournal()
  const first = redacting.start('Find', { journal })
  await first.settled
  const log = await journal.read(first.id)
  const observed = log.findIndex(({ type }) => type === 'observed')

  await (await redacting.resume(savedRun(log.slice(0, observed + 1)))).settled

  expect(model.calls.map((_, index) => index)).toEqual([0, 1, 2])
  expect(JSON.stringify(model.calls[2]?.prompt)).not.toContain('ada@')
})

it('leaves the tool what it returned in its own shape, to say how the next turn is asked for', async () => {
  const find = planNext(
    tool({
      inputSchema: z.object({}),
      effect: 'readOnly',
      execute: () => ({ user: { mail: 'ada@example.org' } }),
      toModelOutput: ({ output }) => ({ type: 'text', value: `Write to ${output.user.mail}.` }),
    }),
    ({ user }) => ({ instructions: `About ${user.mail}.` }),
  )
  const model = scriptedModel({ calls: [{ name: 'find', input: {} }] }, 'Done.')
  const backend = reasonAct({ before: [redactEmails()] })
  const run = agent({ name: 'a', model, tools: { find }, backend }).start('Find', { observers: [laws()] })
  await run.settled

  expect(model.calls[1]?.prompt[0]).toMatchObject({ content: 'About [email].' })
  expect(JSON.stringify(run.state)).not.toContain('ada@')
})
