import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, confirm, tool } from '../index.ts'
import { type Journal, memoryJournal } from '../journal/index.ts'
import { scriptedModel } from '../testing/index.ts'
import { createHostedRuns } from './hostedRuns.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const answering = agent({ name: 'a', model: scriptedModel('1', '2', '3', '4', '5', '6') })
const asking = agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }), tools: { ask } })
const hosting = (journal?: Journal, isSeen = false) => createHostedRuns({ journal, isSeen: () => isSeen })

it('lets go of a run that has its answer, is kept, and that nobody looks at', async () => {
  const journal = memoryJournal()
  const runs = hosting(journal)
  const before = runs.start(answering, 'Go', { id: 'r' })

  await runs.leave('r')

  expect(runs.find('r')).toBeUndefined()
  expect((await runs.open(answering, 'r')).state).toEqual(before.state)
})

it('lets go of a run that was deleted', async () => {
  const journal = memoryJournal()
  const runs = hosting(journal)
  await runs.start(answering, 'Go', { id: 'r' }).settled
  await journal.delete('r')

  await runs.leave('r')

  await expect(runs.open(answering, 'r')).rejects.toMatchObject({ code: 'run_unknown' })
})

it.each<[string, () => ReturnType<typeof hosting>, typeof answering]>([
  ['is kept nowhere', () => hosting(), answering],
  ['somebody looks at', () => hosting(memoryJournal(), true), answering],
  [
    'could not be written',
    () => hosting({ ...memoryJournal(), append: () => Promise.reject(new Error('full')) }),
    answering,
  ],
  ['waits for a person', () => hosting(memoryJournal()), asking],
])('holds on to a run that %s', async (_, make, described) => {
  const runs = make()
  const run = runs.start(described, 'Go', { id: 'r' })

  await runs.leave('r')

  expect(runs.find('r')).toBe(run)
})

it('lets go of a run that nobody looks at any more by the time it is found', async () => {
  const journal = memoryJournal()
  await answering.start('Go', { id: 'r', journal }).settled
  let found = (): void => {}
  const slow = new Promise<void>((resolve) => {
    found = resolve
  })
  const read: Journal['read'] = async (...given) => {
    await slow
    return journal.read(...given)
  }
  let isSeen = true
  const runs = createHostedRuns({ journal: { ...journal, read }, isSeen: () => isSeen })
  const opening = runs.open(answering, 'r')

  isSeen = false
  const left = runs.leave('r')
  found()
  await Promise.all([opening, left])

  expect(runs.find('r')).toBeUndefined()
})

it('opens a run once, however many ask for it', async () => {
  const journal = memoryJournal()
  await answering.start('Go', { id: 'r', journal }).settled
  const runs = hosting(journal)

  const [one, two] = await Promise.all([runs.open(answering, 'r'), runs.open(answering, 'r')])

  expect(one).toBe(two)
  await expect(runs.open(asking, 'r')).rejects.toMatchObject({ code: 'agent_mismatch' })
})
