import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { type IDBPDatabase, openDB } from 'idb'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, isAgentError, tool } from '../../index.ts'
import { inspectRuns, prune, recoverRun } from '../index.ts'
import { indexedDbJournal } from './index.ts'

let names = 0
const newName = (): string => `tampered-${Date.now()}-${names++}`
const document = 'x'.repeat(100_000)

/** Says how often it was asked and looked. */
function described(onEffect: () => void = () => {}): Agent {
  const line: ScriptedTurn = ({ prompt }) => {
    onEffect()
    return prompt.at(-1)?.role === 'user' ? { calls: [{ name: 'look', input: {} }] } : 'Done.'
  }
  const execute = (_: unknown, { runId }: { runId: string }) => {
    onEffect()
    return document + runId
  }
  const model = scriptedModel(...Array.from({ length: 99 }, () => line))
  return agent({ name: 'a', model, tools: { look: tool({ inputSchema: z.object({}), execute }) } })
}

type Tamper = (database: IDBPDatabase) => Promise<unknown>

/** A database with two runs, `r` and `other`, changed behind the journal's back. */
async function tampered(tamper: Tamper): Promise<ReturnType<typeof indexedDbJournal>> {
  const name = newName()
  for (const id of ['r', 'beside']) await described().start('Go', { id, journal: indexedDbJournal({ name }) }).settled
  const database = await openDB(name)
  await tamper(database)
  database.close()
  return indexedDbJournal({ name })
}
const recordOf = (database: IDBPDatabase) => database.getAllKeys('events', IDBKeyRange.bound(['r', 0], ['r', 99]))
const change =
  (nth: number, into: (record: Record<string, unknown>) => unknown): Tamper =>
  async (database) => {
    const key = (await recordOf(database)).at(nth) ?? ''
    await database.put('events', into(await database.get('events', key)), key)
  }
const inRun =
  (into: (run: Record<string, unknown>) => object): Tamper =>
  async (database) =>
    database.put('runs', { ...into(await database.get('runs', 'r')), runId: 'r' })
const inSummary = (members: object): Tamper =>
  inRun((run) => ({ ...run, summary: { ...(run.summary as object), ...members } }))
/** Replaces the large value of `r`. */
const withValue =
  (value: unknown): Tamper =>
  async (database) => {
    for (const hash of await database.getAllKeys('values')) {
      if (!(await database.get('values', hash)).endsWith('r')) continue
      await (value === undefined ? database.delete('values', hash) : database.put('values', value, hash))
    }
  }
const place = (path: unknown): Tamper =>
  change(-1, (record) => ({ ...record, places: [{ path, hash: 'h' }], large: ['h'] }))

const resumes = 'resumes'
it.each<[string, Tamper, string]>([
  [
    'a record is gone at the end',
    async (database) => database.delete('events', (await recordOf(database)).at(-1) ?? ''),
    resumes,
  ],
  [
    'a record is gone in the middle',
    async (database) => database.delete('events', (await recordOf(database))[1] ?? ''),
    'log_invalid',
  ],
  ['a record is null', change(1, () => null), 'log_invalid'],
  ['a record has no events', change(1, () => ({ events: 7 })), 'log_invalid'],
  ['a record has an empty event', change(1, () => ({ events: [null] })), 'log_invalid'],
  [
    'a record is there twice',
    async (database) =>
      database.put('events', await database.get('events', (await recordOf(database))[0] ?? ''), ['r', 99]),
    'log_invalid',
  ],
  ['a large value is gone', withValue(undefined), 'log_invalid'],
  ['a large value is another text', withValue('another'), resumes],
  ['a large value is none', withValue({ type: 7 }), 'log_invalid'],
  ['a place is nowhere', place([0, 'no', 'where']), 'log_invalid'],
  ['a place is no list', place(7), 'log_invalid'],
  ['a place is in a prototype', place([0, '__proto__', 'polluted']), 'log_invalid'],
  ['places are none', change(1, (record) => ({ ...record, places: 'x', large: 7 })), 'log_invalid'],
  ['the summary is gone', inRun(({ summary: _, ...run }) => run), resumes],
  ['the summary is hostile', inSummary({ title: {}, agent: 7, events: 'x', parent: 1, version: null }), resumes],
  ['the summary counts wrong', inSummary({ events: 1 }), resumes],
  ['all that is beside the log is gone', (database) => database.delete('runs', 'r'), resumes],
  ['the counters are gone', (database) => database.clear('counters'), resumes],
  ['the counters are none', (database) => database.put('counters', 'x', 'epoch'), resumes],
  ['the owner is none', inRun((run) => ({ ...run, epoch: {} })), resumes],
])('continues or refuses when %s, and leaves the other run alone', async (_, tamper, end) => {
  const journal = await tampered(tamper)
  let effects = 0

  const runs = await inspectRuns(journal)
  const listed = JSON.stringify(runs)
  const resumed = described(() => effects++).resume('r', { journal })
  const run = await resumed.catch((error: unknown) => error)
  if (isAgentError(run)) expect([run.code, effects]).toEqual([end, 0])
  else {
    expect(end).toBe(resumes)
    await (run as Awaited<typeof resumed>).say('Go on')
    expect(await (run as Awaited<typeof resumed>).settled).toMatchObject({ output: 'Done.' })
    const [first] = await journal.list()
    expect(first).toMatchObject({
      runId: 'r',
      agent: 'a',
      title: 'Go',
      signal: 'answer',
      events: (await journal.read('r')).length,
    })
  }

  expect(listed).toContain('"runId":"beside"')
  expect(runs.filter(({ damage }) => damage).map(({ runId }) => runId)).not.toContain('beside')
  for (const { title } of runs) expect(typeof title).toBe('string')
  expect(Object.keys((await recoverRun(journal, 'r')).asStored)).toEqual(['r'])
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  await journal.delete('r')
  expect(await journal.read('r')).toEqual([])
  expect((await journal.list()).map(({ runId }) => runId)).toEqual(['beside'])
})

it('takes nothing from an owner of before when the counters are lost', async () => {
  const name = newName()
  const journal = indexedDbJournal({ name })
  await described().start('Go', { id: 'r', journal }).settled
  const { length } = await journal.read('r')
  const before = await journal.claim('r', length)
  const database = await openDB(name)
  await database.clear('counters')
  database.close()

  const after = await journal.claim('r', length)
  const event = { seq: length, at: 1, iteration: 2, type: 'resumed' } as const

  await expect(journal.append('r', [event], { epoch: before })).rejects.toMatchObject({ code: 'journal_conflict' })
  await journal.append('r', [event], { epoch: after })
})

const broken: [string, Tamper][] = [
  ['no time', inSummary({ updatedAt: undefined })],
  ['NaN for a time', inSummary({ updatedAt: Number.NaN })],
  ['a string for a time', inSummary({ updatedAt: 'yesterday' })],
  ['a time after all others', inSummary({ updatedAt: Number.POSITIVE_INFINITY })],
  ['a time that no date has', inSummary({ updatedAt: 1e300 })],
  ['no agent', inSummary({ agent: undefined })],
  ['no summary', inRun(({ summary: _, ...run }) => run)],
]
it.each(broken)('lists a run with %s where it belongs, and prunes it', async (_, tamper) => {
  const journal = await tampered(tamper)
  const ids = async (options?: object) => (await journal.list(options)).map(({ runId }) => runId)

  expect([await ids({ agent: 'a' }), await ids()]).toEqual([
    ['beside', 'r'],
    ['beside', 'r'],
  ])
  const [newest, oldest] = await journal.list()
  expect(oldest).toMatchObject({ agent: 'a', title: 'Go', signal: 'answer', updatedAt: expect.any(Number) })
  expect(oldest?.updatedAt).toBeGreaterThan(0)
  expect(await ids({ limit: 1, before: newest })).toEqual(['r'])
  expect(await prune(journal, { keep: 1 })).toEqual(['r'])
})

it('lists a run of which neither the entry nor the log can be read', async () => {
  const journal = await tampered(async (database) => {
    await inSummary({ updatedAt: Number.NaN })(database)
    await change(0, () => ({ events: [{ type: 'settled' }] }))(database)
  })

  expect(await journal.list()).toMatchObject([{ runId: 'beside' }, { runId: 'r', title: 'Go', updatedAt: 0 }])
  expect(await prune(journal, { olderThan: 1_000 })).toEqual(['r'])
})
