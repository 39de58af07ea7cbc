import { agent } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents } from '../agents/index.ts'
import type { RunRecord } from '../storage/checkRecord.ts'
import { memoryStorage } from '../storage/memoryStorage.ts'
import { createPlayground } from './createPlayground.ts'
import { shownIn } from './PlaygroundState.ts'

const [, calculator] = agents
const file = calculator?.file.replace('calculator:', 'abacus:') ?? ''
const record: RunRecord = { runId: 'a', offer: 'calculator', file, connection: { type: 'demo' } }

/** A page that finds the answered run "a" of an earlier visit. */
async function laterVisit({ storage = memoryStorage(), declared = file, started = record as RunRecord | null } = {}) {
  const { journal, records } = storage
  if (started) await records.put(started)
  const run = agentFrom(declared, { model: scriptedModel('Four.') }).start('What is 2 + 2?', { id: 'a', journal })
  await run.settled
  return { ...createPlayground({ open: async () => storage }), storage }
}

it('opens a run of an earlier visit with what it was started with', async () => {
  const { store, show, storage } = await laterVisit()

  await Promise.all([show('a'), show('a')])

  const { conversations, shown } = store.getState()
  expect(shown).toBe('a')
  expect(conversations).toMatchObject([{ title: 'What is 2 + 2?', offer: calculator, file, lacksKey: false }])
  expect(conversations[0]?.log.events).toEqual(await storage.journal.read('a'))
})

it('finds the agent of a run that came without one by its name', async () => {
  const { store, show, storage } = await laterVisit({ declared: calculator?.file ?? '', started: null })

  await show('a')

  expect(shownIn(store.getState())?.file).toBe(calculator?.file)
  expect(await storage.records.get('a')).toMatchObject({ offer: 'calculator' })
})

it('says why a run cannot be opened, and opens it when it can be', async () => {
  const { store, show, reopen, storage } = await laterVisit({ started: null })

  await show('gone')
  await show('a')
  expect(store.getState().failures).toMatchObject({ gone: { code: 'run_unknown' }, a: { code: 'agent_mismatch' } })
  await storage.records.put(record)
  await reopen('a')

  expect(store.getState().failures.a).toBeUndefined()
  expect(shownIn(store.getState())?.run.id).toBe('a')
})

it('makes a new run of an old one, which stays', async () => {
  const { store, show, fork, storage } = await laterVisit()
  await show('a')
  const old = shownIn(store.getState())
  if (!old) throw new Error('It is not open.')

  await fork(old, { at: 1, edit: { content: 'What is 3 + 3?' } })
  const made = shownIn(store.getState())
  await made?.run.stop()

  expect(made).toMatchObject({ title: 'What is 3 + 3?', file })
  expect(made?.finder.found.getState()).toBeUndefined()
  expect(old.run.state.signal?.type).toBe('answer')
  expect(await storage.records.get(made?.run.id ?? '')).toMatchObject({ file })
})

it('makes a new run of what can be read of a damaged one', async () => {
  const storage = memoryStorage()
  const { store, show, recoverRun } = await laterVisit({ storage })
  const [started, said] = await storage.journal.read('a')
  await storage.journal.delete('a')
  await storage.journal.append('a', JSON.parse(JSON.stringify([started, said, { seq: 2, type: 'gone' }])))

  await show('a')
  expect(store.getState().failures).toMatchObject({ a: { code: 'log_invalid' } })
  await recoverRun('a')
  const made = shownIn(store.getState())
  await made?.run.stop()

  expect(made?.title).toBe('What is 2 + 2?')
})

it('asks for a key again, and asks no one without it', async () => {
  const connection = { type: 'openai', modelId: 'm', route: 'direct' } as const
  const { store, show, send } = await laterVisit({ started: { ...record, connection } })

  await show('a')
  await send('And 3 + 3?')
  const opened = shownIn(store.getState())
  await opened?.run.settled

  expect(opened).toMatchObject({ lacksKey: true, connection: { type: 'openai', modelId: 'm' } })
  expect(opened?.run.state.signal).toMatchObject({
    type: 'failed',
    error: { code: 'model_failed', message: expect.stringContaining('needs its key again') },
  })
})

it('lets go of what is deleted', async () => {
  const { store, show, draft, forget } = await laterVisit()
  await show('a')
  draft('And then')

  await forget(['a'])

  expect(store.getState()).toMatchObject({ conversations: [], shown: undefined, drafts: {} })
})

it('opens another agent of the same name no more than the core does', async () => {
  const storage = memoryStorage()
  await agent({ name: 'stranger', model: scriptedModel('Hi.') }).start('Hi', { id: 's', journal: storage.journal })
    .settled
  await storage.records.put({ ...record, runId: 's' })
  const { store, show } = createPlayground({ open: async () => storage })

  await show('s')

  expect(store.getState().failures).toMatchObject({ s: { code: 'agent_mismatch' } })
})
