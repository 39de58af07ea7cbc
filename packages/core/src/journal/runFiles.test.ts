import { answered, sampleRuns } from '@interleave/test-kit/sampleRuns'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { recorder, replay } from '../history/index.ts'
import { type Agent, agent, confirm, type Event, tool } from '../index.ts'
import { exportRun, importRun, type Journal, memoryJournal, type RunFile } from './index.ts'

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value))
const withoutImport = (events: readonly Event[]): readonly Event[] =>
  events.slice(
    0,
    events.findIndex(({ type }) => type === 'imported'),
  )
const inputSchema = z.object({})

/** Creates an agent whose child agent asks a user. */
function boss(): Agent {
  const ask = tool({ inputSchema, execute: async (_, { ask }) => ({ sure: await ask(confirm({ prompt: 'Sure?' })) }) })
  const model = (name: string, input: object) =>
    scriptedModel(
      ({ prompt }) => (prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name, input }] }),
      'Done.',
    )
  const below = agent({ name: 'below', model: model('ask', {}), tools: { ask } })
  return agent({
    name: 'boss',
    model: model('help', { task: 'x' }),
    tools: { help: agentTool(below, { description: 'Helps.' }) },
  })
}

async function asked(): Promise<RunFile> {
  const journal = memoryJournal()
  await boss().start('Go', { id: 'r', journal }).settled
  return stored(await exportRun(journal, 'r'))
}

it('brings a run with those below it into another journal, where it continues', async () => {
  const [file, journal] = [await asked(), memoryJournal()]

  const id = await importRun(file, { journal })
  const run = await boss().resume(id, { journal })
  run.resume()
  await answered(run)

  expect(id).toBe('r')
  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect((await journal.read('r/1/tool/0')).at(-1)).toMatchObject({ type: 'settled', signal: { type: 'answer' } })
})

it('imports a file twice at once as two runs', async () => {
  const [file, journal] = [await asked(), memoryJournal()]

  const ids = await Promise.all([importRun(file, { journal }), importRun(file, { journal })])

  expect(new Set(ids).size).toBe(2)
  expect(await journal.list()).toHaveLength(4)
})

it('gives a run another id where there is one of that id', async () => {
  const [file, journal] = [await asked(), memoryJournal()]
  await importRun(file, { journal })

  const id = await importRun(file, { journal, host: { newId: () => 'copy' } })
  const run = await boss().resume(id, { journal })
  run.resume()
  await answered(run)

  expect(await run.settled).toMatchObject({ type: 'answer' })
  expect((await journal.list()).map(({ runId }) => runId).sort()).toEqual(['copy', 'copy/1/tool/0', 'r', 'r/1/tool/0'])
  expect(JSON.stringify(await exportRun(journal, 'copy'))).not.toContain('"r/1')
  expect((await journal.read('r')).slice(0, file.events.length)).toEqual(file.events)
})

it('gives a run another id where only one below it is left', async () => {
  const [file, journal] = [await asked(), memoryJournal()]
  await journal.append('r/1/tool/0', file.below?.[0] ?? [])

  const id = await importRun(file, { journal, host: { newId: () => 'copy' } })

  expect(id).toBe('copy')
  expect(await journal.read('copy/1/tool/0')).toHaveLength((file.below?.[0]?.length ?? 0) + 2)
})

it('exports and imports every run without a change, and adds that it was imported', async () => {
  for (const { id, journal } of await sampleRuns()) {
    const other = memoryJournal()
    const file = stored(await exportRun(journal, id))

    await importRun(file, { journal: other })

    const { events, below = [] } = await exportRun(other, id)
    expect(stored(withoutImport(events))).toEqual(file.events)
    expect(stored(below.map(withoutImport))).toEqual(expect.arrayContaining([...(file.below ?? [])]))
    expect(below).toHaveLength(file.below?.length ?? 0)
    expect(replay(file).stateAt()).toMatchObject({ runId: id, seq: file.events.length })
  }
})

it.each<[string, (file: RunFile) => unknown, RegExp]>([
  ['nothing', () => null, /it is not the file of a run/],
  ['a later version', (file) => ({ ...file, formatVersion: 2 }), /of version 2, and this reads version 1/],
  ['a run that is not below', (file) => ({ ...file, below: [file.events] }), /the run "r" is not a child of "r"/],
  ['a run below that is there twice', (file) => ({ ...file, below: [0, 0].flatMap(() => file.below) }), /occurs twice/],
  ['a damaged run below', (file) => ({ ...file, below: [[{}]] }), /does not begin/],
  ['a wrong live event', (file) => ({ ...file, live: [{ after: 0, event: { type: 'x' } }] }), /"live.0.event.type"/],
  ['no thoughts', (file) => ({ ...file, thoughts: false }), /thoughts are omitted/],
])('imports nothing of a file with %s', async (_, damage, message) => {
  const journal = memoryJournal()

  await expect(importRun(damage(await asked()), { journal })).rejects.toThrow(message)

  expect(await journal.list()).toEqual([])
})

it.each([1, 2])(
  'leaves nothing of a run if the answer to write %i is lost, so that it can be sent again',
  async (lost) => {
    const kept = memoryJournal()
    let count = 0
    const append: Journal['append'] = async (...write) => {
      await kept.append(...write)
      if (++count === lost) throw new Error('The connection was lost.')
    }
    const journal = { ...kept, append }

    await expect(importRun(await asked(), { journal })).rejects.toMatchObject({ code: 'journal_failed' })
    expect(await kept.list()).toEqual([])
    expect(await importRun(await asked(), { journal })).toBe('r')
  },
)

it('leaves nothing of a run in a journal that has no room for all of it', async () => {
  const [file, kept] = [await asked(), memoryJournal()]
  let room = 1
  const append: Journal['append'] = (...given) => {
    if (room-- === 0) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    kept.append(...given)
  }

  await expect(importRun(file, { journal: { ...kept, append } })).rejects.toMatchObject({ code: 'journal_full' })

  expect(await kept.list()).toEqual([])
  expect(await importRun(file, { journal: kept })).toBe('r')
})

it('says what went wrong first where nothing can be taken back either', async () => {
  const [file, kept] = [await asked(), memoryJournal()]
  const away = () => Promise.reject(new Error('away'))
  const full = () => Promise.reject(Object.assign(new Error('full'), { name: 'QuotaExceededError' }))
  let writes = 0
  const append: Journal['append'] = (...given) => (writes++ === 0 ? kept.append(...given) : full())

  const importing = importRun(file, { journal: { ...kept, append, delete: away } })

  await expect(importing).rejects.toMatchObject({ code: 'journal_full' })
})

it('takes many runs that were exported together, one after another, with their order', async () => {
  const [from, to] = [memoryJournal(), memoryJournal()]
  for (const [name, at] of [5, 3, 5, 9].entries()) {
    await from.append(`r${name}`, [
      { seq: 0, at, iteration: 0, type: 'started', runId: `r${name}`, agent: 'a', version: '1' },
    ])
  }

  for (const { runId } of await from.list()) await importRun(stored(await exportRun(from, runId)), { journal: to })

  const places = async (journal: Journal) => (await journal.list()).map(({ runId, updatedAt }) => [runId, updatedAt])
  expect(await places(to)).toEqual(await places(from))
})

it('continues with what a recorder kept', async () => {
  const kept = recorder({ live: true })
  await agent({ name: 'a', model: scriptedModel('Hi.') }).start('Hello', { id: 'r', observers: [kept] }).settled
  const journal = memoryJournal()

  await importRun(stored(kept.export()), { journal })
  const run = await agent({ name: 'a', model: scriptedModel('Hi again.') }).resume('r', { journal })
  await run.say('And?')

  expect(await run.settled).toMatchObject({ output: 'Hi again.' })
})

it('says that there is no such run', async () => {
  await expect(exportRun(memoryJournal(), 'x')).rejects.toMatchObject({ code: 'run_unknown' })
})

it.each([
  ['a function', () => 1],
  ['a bigint', 1n],
])('refuses a file that has %s, and says where', async (_, member) => {
  const [journal, file] = [memoryJournal(), await asked()]
  const events = file.events.map((event) =>
    event.type === 'said' ? { ...event, providerOptions: { p: member } } : event,
  )

  const importing = importRun({ ...file, events }, { journal })

  await expect(importing).rejects.toMatchObject({ code: 'log_invalid' })
  await expect(importing).rejects.toThrow(/at "events\.1\.providerOptions\.p", which JSON cannot hold/)
  expect(await journal.list()).toEqual([])
})
