import { type AgentHandle, agent, tool } from '@interleave/core'
import { type Journal, memoryJournal } from '@interleave/core/journal'
import { freeMemory } from '@interleave/test-kit/freeMemory'
import { scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { attachRun, registerRun, runHere } from './pageRuns.ts'

const talker = agent({ name: 'talker', model: scriptedModel('Hi') })

it('gives everybody the same run, at work and settled', async () => {
  const journal = memoryJournal()
  const run = talker.start('Go', { journal })
  registerRun(run, { journal })

  const atWork = await attachRun(talker, run.id, { journal })
  await run.settled
  const whenSettled = await attachRun(talker, run.id, { journal })

  expect([atWork, whenSettled]).toEqual([run, run])
})

it('resumes a run of the journal once', async () => {
  const journal = memoryJournal()
  await talker.start('Go', { journal, id: 'a' }).settled

  const [one, two] = await Promise.all([attachRun(talker, 'a', { journal }), attachRun(talker, 'a', { journal })])

  expect(one).toBe(two)
})

it('looks again after a run was not found', async () => {
  const journal = memoryJournal()
  await expect(attachRun(talker, 'b', { journal })).rejects.toMatchObject({ code: 'run_unknown' })
  const writer = agent({ name: 'talker', model: scriptedModel('Hi') })
  await writer.start('Go', { journal, id: 'b' }).settled

  expect(await attachRun(talker, 'b', { journal })).toMatchObject({ id: 'b' })
})

it('asks a handle again, which knows which of its runs are closed', async () => {
  const journal = memoryJournal()
  const handle: AgentHandle<string> = {
    name: 'talker',
    start: (input, options) => talker.start(input, { ...options, journal }),
    resume: (id, options) => talker.resume(id, { ...options, journal }),
  }
  const run = handle.start('Go', { id: 'c' })
  registerRun(run, { journal })
  await run.settled

  expect(await attachRun(handle, 'c', { journal })).not.toBe(run)
})

it('says what is missing without a journal', async () => {
  await expect(attachRun(talker, 'a', {})).rejects.toThrow('resume(id, { journal })')
})

it('holds a run that works again after it settled', async () => {
  const journal = memoryJournal()
  const forEver = (): Promise<string> => new Promise(() => {})
  const made = agent({ name: 'slow', model: scriptedModel('Hi', forEver) })
  const begin = async (): Promise<string> => {
    const run = made.start('Go', { journal })
    registerRun(run, { journal })
    await run.settled
    await run.say('And now?')
    return run.id
  }

  const id = await begin()
  await new Promise((resolve) => setTimeout(resolve))
  freeMemory()

  expect((await runHere(journal, id))?.state.signal).toBe(undefined)
  expect(await runHere(journal, id)).toBeDefined()
})

it('knows a run that began while the same id was not found', async () => {
  const journal = memoryJournal()
  const attaching = attachRun(talker, 'd', { journal })
  const run = talker.start('Go', { journal, id: 'd' })
  registerRun(run, { journal })

  await expect(attaching).rejects.toMatchObject({ code: 'run_unknown' })

  expect(await runHere(journal, 'd')).toBe(run)
})

it('keeps nothing of settled runs that are not in use any more', async () => {
  const journal = memoryJournal()
  const set = vi.spyOn(Map.prototype, 'set')
  const ids = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const run = agent({ name: 'a', model: scriptedModel('Hi') }).start('Go', { journal })
      registerRun(run, { journal })
      await run.settled
      return run.id
    }),
  )
  const maps = set.mock.contexts as readonly Map<unknown, unknown>[]
  const runs = maps.find((map) => map.get(ids[0]) instanceof WeakRef)
  set.mockRestore()
  expect(runs?.size).toBe(5)

  await expect
    .poll(() => {
      freeMemory()
      return runs?.size
    })
    .toBe(0)
})

/** Another object of the same journal, as each render or evaluation of a module makes one. */
const fresh = <J extends Journal>(journal: J): J => ({ ...journal, identity: 'the same database' })

const paying = (paid: string[], name: string, held: Promise<unknown>) =>
  agent({
    name: 'payer',
    model: scriptedModel({ calls: [{ name: 'pay', input: {} }] }, `Paid by ${name}.`, `Later by ${name}.`),
    tools: {
      pay: tool({
        inputSchema: z.object({}),
        effect: 'atMostOnce',
        async execute() {
          paid.push(name)
          await held
          return 'paid'
        },
      }),
    },
  })

it.each(['by a component', 'by other code'])(
  'finds a run that was started %s and works, though journal and agent are new objects, and its next work has the new code',
  async (how) => {
    const [journal, paid] = [memoryJournal(), [] as string[]]
    let proceed = (): void => {}
    const held = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const options = { journal: fresh(journal), id: `r ${how}` }
    const run = paying(paid, 'old', held).start('Go', options)
    if (how === 'by a component') registerRun(run, options)
    await expect.poll(() => paid).toEqual(['old'])

    const found = await attachRun(paying(paid, 'new', held), run.id, { journal: fresh(journal) })

    expect(found).toBe(run)
    proceed()
    expect(await run.settled).toMatchObject({ output: 'Paid by old.' })
    expect(paid).toEqual(['old'])
    await found.say('And then?')
    await found.settled
    expect(paid).toEqual(['old', 'new'])
  },
)
