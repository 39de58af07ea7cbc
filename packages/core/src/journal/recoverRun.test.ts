import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { type Agent, agent, type Event, isAgentError, tool } from '../index.ts'
import { fork, importRun, inspectRuns, type Journal, memoryJournal, recoverRun } from './index.ts'

const inputSchema = z.object({})

/** Creates an agent that reads itself and has another agent read. */
function described(): Agent {
  const line: ScriptedTurn = ({ prompt }) => {
    const turns = prompt.filter(({ role }) => role === 'assistant').length
    return turns === 0 ? { calls: ['look', 'help'].map((name) => ({ name, input: { task: 'x' } })) } : 'Done.'
  }
  const model = () => scriptedModel(...Array.from({ length: 9 }, () => line))
  const look = tool({ inputSchema, effect: 'readOnly', execute: () => 'seen' })
  const below = agent({ name: 'below', model: model(), tools: { look } })
  return agent({ name: 'a', model: model(), tools: { look, help: agentTool(below, { description: 'Helps.' }) } })
}

/** A journal with a run `r` of which what is given for an event is another, one below it, and a sound run beside. */
async function damaged(damage: (event: Event) => unknown): Promise<Journal> {
  const journal = memoryJournal()
  await described().start('Go', { id: 'r', journal }).settled
  await described().start('Other', { id: 'sound', journal }).settled
  const read = async (id: string) => {
    const log = await journal.read(id)
    return (id === 'r' ? log.map(damage) : log) as readonly Event[]
  }
  return { ...journal, read }
}
const without = (type: Event['type']) => (event: Event) => (event.type === type ? { ...event, type: 'lost' } : event)

it('lists which runs are damaged, and why', async () => {
  const journal = await damaged(without('thought'))

  const runs = await inspectRuns(journal, { agent: 'a' })

  expect(runs.map(({ runId, damage }) => [runId, damage?.code]).sort()).toEqual([
    ['r', 'log_invalid'],
    ['sound', undefined],
  ])
  expect(runs.find(({ runId }) => runId === 'r')?.damage?.message).toContain('event 2')
})

it('leaves a damaged run as it is until it is deleted, and the others alone', async () => {
  const journal = await damaged(without('thought'))
  const before = await journal.list()

  await expect(described().resume('r', { journal })).rejects.toMatchObject({ code: 'log_invalid' })
  const other = await described().resume('sound', { journal })

  expect(other.state.signal).toMatchObject({ type: 'answer' })
  expect(await journal.list()).toEqual(before)
  await journal.delete('r')
  expect((await journal.list()).map(({ runId }) => runId).sort()).toEqual(['sound', 'sound/1/tool/1'])
})

it('gives what is stored, with the child runs, as JSON', async () => {
  const journal = await damaged((event) => (event.seq === 3 ? { at: 1n, deep: () => {} } : event))

  const { damage, asStored } = await recoverRun(journal, 'r')

  expect(damage).toMatchObject({ code: 'log_invalid' })
  expect(JSON.parse(JSON.stringify(asStored)).r[3]).toEqual({ at: '1' })
  expect(asStored['r/1/tool/1']).toEqual(await journal.read('r/1/tool/1'))
})

it.each<[string, (event: Event) => unknown, number]>([
  ['the turn', without('thought'), 2],
  ['a call', without('claimed'), 3],
  ['the rest', without('settled'), -1],
  ['an event that is none', (event) => (event.seq === 4 ? null : event), 4],
])('continues in a new run from what there was before %s', async (_, damage, length) => {
  const journal = await damaged(damage)

  const { file } = await recoverRun(journal, 'r')
  const run = file && (await fork(described(), file, { journal, id: 'f' }))

  run?.resume()

  expect(file?.events).toHaveLength(length < 0 ? (await journal.read('r')).length - 1 : length)
  expect(await run?.settled).toMatchObject({ output: 'Done.' })
  expect((await journal.read('f'))[0]).toMatchObject({ forkedFrom: { runId: 'r' } })
})

it('takes all of a run that is not damaged', async () => {
  const journal = await damaged((event) => event)

  const { damage, file } = await recoverRun(journal, 'r')

  expect(damage).toBeUndefined()
  expect(await importRun(file, { journal: memoryJournal() })).toBe('r')
})

it.each<[string, (event: Event) => unknown]>([
  ['of a later format', (event) => (event.seq === 0 ? { ...event, format: 99 } : event)],
  ['without a beginning', (event) => ({ ...event, seq: event.seq + 1 })],
])('has nothing to continue with of a log %s', async (_, damage) => {
  const { file, asStored, ...recovered } = await recoverRun(await damaged(damage), 'r')

  expect(file).toBeUndefined()
  expect(recovered.damage?.code).toBe('log_invalid')
  expect(asStored.r?.length).toBeGreaterThan(4)
})

it('reports a journal that cannot be read, and of a run that is not there', async () => {
  const read = () => Promise.reject(new Error('broken'))
  const journal = { ...(await damaged((event) => event)), read }

  const unknown = await recoverRun(memoryJournal(), 'x').catch((error: unknown) => error)

  expect((await inspectRuns(journal))[0]?.damage).toMatchObject({ code: 'journal_failed', retryable: true })
  expect(isAgentError(unknown) && unknown.code).toBe('run_unknown')
})

it('reports events that no sound run has, and continues the run', async () => {
  const [sound, odd] = [memoryJournal(), memoryJournal()]
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const describe = () =>
    agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.'), tools: { look } })
  const run = describe().start('Go', { id: 'r', journal: sound })
  await run.settled
  const twice = run.log.flatMap((event): readonly Event[] => (event.type === 'observed' ? [event, event] : [event]))
  await odd.append(
    'r',
    twice.map((event, seq) => ({ ...event, seq })),
  )
  const signalOf = async (journal: Journal) => (await describe().resume('r', { journal })).settled

  expect(await inspectRuns(sound)).not.toMatchObject([{ unexpected: expect.anything() }])
  expect(await inspectRuns(odd)).toMatchObject([{ unexpected: ['5 observed: 1/tool/0 done → done'] }])
  expect(await signalOf(odd)).toEqual(await signalOf(sound))
})
