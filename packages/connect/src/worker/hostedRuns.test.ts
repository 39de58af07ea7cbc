import { type AgentHandle, agent, confirm, type Run, reasonAct, type Signal, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { HostedRuns } from './hostedRuns.ts'

const inputSchema = z.object({})
const ask = tool({ inputSchema, execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const answering = agent({ name: 'a', model: scriptedModel(() => 'Done.') })
const asking = agent({ name: 'a', model: scriptedModel({ calls: [{ name: 'ask', input: {} }] }), tools: { ask } })
/** Runs of a worker, and what a page does that shows one and leaves it once it has settled. */
function hosting(journal?: Journal, isShown = false) {
  const runs = new HostedRuns(journal)
  const { registry } = runs
  if (isShown) registry.useItem('r')
  const leave = async (id: string): Promise<void> => {
    await registry.findItem(id)?.run.settled
    await registry.releaseIfIdle(id)
  }
  return {
    leave,
    start: (...given: Parameters<HostedRuns['startRun']>) => runs.startRun(...given).run,
    open: async (...given: Parameters<HostedRuns['openRun']>) => (await runs.openRun(...given)).run,
    find: (id: string) => registry.findItem(id)?.run,
    use: (id: string) => registry.useItem(id),
  }
}

it('releases a run that has its answer, is durable, and is not shown', async () => {
  const journal = memoryJournal()
  const runs = hosting(journal)
  const before = runs.start(answering, 'Go', { id: 'r' })

  await runs.leave('r')

  expect(runs.find('r')).toBeUndefined()
  expect((await runs.open(answering, 'r')).state).toEqual(before.state)
})

const failing = agent({ name: 'a', model: scriptedModel(new Error('Down.')) })
const limited = agent({
  name: 'a',
  model: scriptedModel({ calls: [{ name: 'work', input: {} }] }),
  tools: { work: tool({ inputSchema, execute: () => 1 }) },
  backend: reasonAct({ limits: { iterations: 1 } }),
})
it.each<[Signal['type'], typeof answering]>([
  ['failed', failing],
  ['limitReached', limited],
])('lets go of a run that settles with %s, and finds it as it was', async (type, described) => {
  const runs = hosting(memoryJournal())
  const before = runs.start(described, 'Go', { id: 'r' })

  await runs.leave('r')

  expect([before.state.signal?.type, runs.find('r')]).toEqual([type, undefined])
  expect((await runs.open(described, 'r')).state).toEqual(before.state)
})

it('lets go of a run that was stopped', async () => {
  const runs = hosting(memoryJournal())
  const run = runs.start(agent({ name: 'a', model: scriptedModel(() => new Promise(() => {})) }), 'Go', { id: 'r' })

  await Promise.all([runs.leave('r'), run.stop()])

  expect(runs.find('r')).toBeUndefined()
})

/** A handle of runs that are kept and shared elsewhere. */
const handleOf = (described: typeof answering, journal: Journal) => {
  const closed: string[] = []
  const withClose = (run: Run) => Object.assign(run, { close: () => closed.push(run.id) })
  const handle: AgentHandle = {
    name: 'a',
    start: (input, options) => withClose(described.start(input, { ...options, journal })),
    resume: async (id) => withClose(await described.resume(id, { journal })),
  }
  return { handle, closed }
}

it('closes a run of a handle that has come to its end', async () => {
  const { handle, closed } = handleOf(answering, memoryJournal())
  const runs = hosting()
  runs.start(handle, 'Go', { id: 'r' })

  await runs.leave('r')

  expect([runs.find('r'), closed]).toEqual([undefined, ['r']])
})

it('holds on to a run of a handle whose journal does not take it', async () => {
  const full = { ...memoryJournal(), append: () => Promise.reject(new Error('full')) }
  const { handle, closed } = handleOf(answering, full)
  const runs = hosting()
  const run = runs.start(handle, 'Go', { id: 'r' })

  await runs.leave('r')

  expect([runs.find('r'), closed]).toEqual([run, []])
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

it('releases a run that is not shown any more by the time it is found', async () => {
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
  const runs = hosting({ ...journal, read })
  const leave = runs.use('r')
  const opening = runs.open(answering, 'r')

  leave()
  found()
  await opening

  await expect.poll(() => runs.find('r')).toBeUndefined()
})

it('opens a run once, however many ask for it', async () => {
  const journal = memoryJournal()
  await answering.start('Go', { id: 'r', journal }).settled
  const runs = hosting(journal, true)

  const [one, two] = await Promise.all([runs.open(answering, 'r'), runs.open(answering, 'r')])

  expect(one).toBe(two)
  await expect(runs.open(asking, 'r')).rejects.toMatchObject({ code: 'agent_mismatch' })
})
