import { answered } from '@interleave/test-kit/sampleRuns'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from '../agents/index.ts'
import { replay, staticRun } from '../history/index.ts'
import { type Agent, agent, confirm, tool } from '../index.ts'
import { exportRun, fork, importRun, type Journal, memoryJournal } from './index.ts'

const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
const line: ScriptedTurn = ({ prompt }) => {
  const called = prompt.some(({ role }) => role === 'assistant')
  return called ? 'Done.' : { text: 'Hm.', calls: [{ name: 'ask', input: {} }] }
}
const model = () => scriptedModel(...Array.from({ length: 9 }, () => line))
const asking = (exposeReasoning = true) => agent({ name: 'a', model: model(), tools: { ask }, exposeReasoning })

/** A journal that takes so many writes and has no room for more. */
function small(writes: number): Journal {
  const kept = memoryJournal()
  let room = writes
  const append: Journal['append'] = (...given) => {
    if (room-- <= 0) throw Object.assign(new Error('full'), { name: 'QuotaExceededError' })
    kept.append(...given)
  }
  return { ...kept, append }
}

it.each([0, 1])('keeps a run that its journal had no room for after %i writes', async (writes) => {
  const journal = small(writes)
  const run = asking().start('Go', { id: 'r', journal })
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'journal_full' } })

  const file = await exportRun(run, { journal })
  const other = memoryJournal()
  const same = await asking().resume(await importRun(JSON.parse(JSON.stringify(file)), { journal: other }), {
    journal: other,
  })
  same.resume()
  await answered(same)

  expect(file.events).toHaveLength(run.state.seq)
  expect(await same.settled).toMatchObject({ output: 'Done.' })
})

it('exports a run that works, as far as it is', async () => {
  const run = asking().start('Go', { id: 'r' })

  const file = await exportRun(run)

  expect(file.events.map(({ type }) => type)).toEqual(['started', 'said'])
  expect(replay(file).stateAt()).toMatchObject({ runId: 'r' })
  await run.settled
})

it('has the thoughts of an agent that does not expose them', async () => {
  const run = asking(false).start('Go', { id: 'r' })
  await run.settled

  const file = await exportRun(run)

  expect(JSON.stringify(file)).toContain('Hm.')
  expect(await importRun(file, { journal: memoryJournal() })).toBe('r')
})

it('replays a run that is at hand, as it is now, and asks no model', async () => {
  const run = asking().start('Go')
  await run.settled

  const told = replay(run)
  const seen: string[] = []
  told.play(({ type }) => seen.push(type))

  expect(told.stateAt()).toEqual(run.state)
  expect(told.stateAt(1).iteration).toBe(0)
  expect(seen).toEqual(told.events.map(({ type }) => type))
})

it('takes the child runs a run object from its journal', async () => {
  const below = agent({ name: 'below', model: model(), tools: { ask } })
  const boss: Agent = agent({
    name: 'boss',
    model: scriptedModel({ calls: [{ name: 'help', input: { task: 'x' } }] }, 'Done.'),
    tools: { help: agentTool(below, { description: 'Helps.' }) },
  })
  const journal = memoryJournal()
  const run = boss.start('Go', { id: 'r', journal })
  await run.settled

  expect((await exportRun(run, { journal })).below).toEqual([await journal.read('r/1/tool/0')])
})

it('forks a run object, and one of the journal by its id', async () => {
  const journal = memoryJournal()
  const run = asking().start('Go', { id: 'r', journal })
  await run.settled

  const forks = [await fork(asking(), run, { at: 1 }), await fork(asking(), 'r', { at: 1, journal })]
  for (const forked of forks) await answered(forked)

  expect(await Promise.all(forks.map(({ settled }) => settled))).toMatchObject([
    { output: 'Done.' },
    { output: 'Done.' },
  ])
  await expect(fork(asking(), 'r', { at: 1 })).rejects.toMatchObject({ code: 'options_invalid' })
})

it('says that the id is missing', async () => {
  await expect(exportRun(memoryJournal(), undefined as never)).rejects.toThrow('The `id` of a run must be a text')
})

it('says what to export in place of a state that is shown', async () => {
  const { state } = asking().start('Go')

  await expect(exportRun(staticRun(state))).rejects.toThrow(/Export the run itself/)
})
