import { type AgentHandle, agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { scriptedModel } from '@interleave/core/testing'
import { expect, it } from 'vitest'
import { attachRun, keepRun } from './attachRun.ts'

const talker = agent({ name: 'talker', model: scriptedModel('Hi') })

it('gives everybody the same run, at work and at rest', async () => {
  const journal = memoryJournal()
  const run = talker.start('Go', { journal })
  keepRun(run, { journal })

  const atWork = await attachRun(talker, run.id, { journal })
  await run.settled
  const atRest = await attachRun(talker, run.id, { journal })

  expect([atWork, atRest]).toEqual([run, run])
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

it('asks a handle anew, which knows which of its runs are closed', async () => {
  const journal = memoryJournal()
  const handle: AgentHandle<string> = {
    name: 'talker',
    start: (input, options) => talker.start(input, { ...options, journal }),
    resume: (id, options) => talker.resume(id, { ...options, journal }),
  }
  const run = handle.start('Go', { id: 'c' })
  keepRun(run, { journal })
  await run.settled

  expect(await attachRun(handle, 'c', { journal })).not.toBe(run)
})

it('says what is missing without a journal', async () => {
  await expect(attachRun(talker, 'a', {})).rejects.toThrow('name the journal')
})
