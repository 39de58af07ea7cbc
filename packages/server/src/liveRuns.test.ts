import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { LiveRuns } from './liveRuns.ts'

/** Creates the runs of a process, with a journal that counts its reads, and fails on request. */
function setUp(model = scriptedModel('Done.')) {
  const kept = memoryJournal()
  const journal = {
    ...kept,
    reads: 0,
    fails: false,
    read(runId: string, from?: number) {
      journal.reads++
      if (journal.fails) throw new Error('The database is away.')
      return kept.read(runId, from)
    },
  }
  const host = manualHost()
  const guide = agent({ name: 'a', model })
  const runs = new LiveRuns({
    agents: new Map([['a', guide]]),
    journal,
    host,
    takeoverAfterMs: 60_000,
    idleMs: 1_000,
  })
  return { guide, host, journal, runs }
}

it('lets go of a run that settles and is kept, also while the journal is away', async () => {
  const { guide, host, journal, runs } = setUp()
  const { run } = await runs.startRun(guide, 'Go', { id: 'ada/1' })
  await run.settled
  await host.advance(999)
  expect(runs.findRun('ada/1')).toBeDefined()

  journal.fails = true
  await host.advance(1)

  expect(runs.findRun('ada/1')).toBeUndefined()
})

it('looks at nothing on behalf of a run that it let go of', async () => {
  const { guide, host, journal, runs } = setUp()
  const live = await runs.startRun(guide, 'Go', { id: 'ada/1' })
  await live.run.settled
  for (let i = 0; i < 5; i++) runs.useRun(live.id)()

  await host.advance(1_000)

  expect([journal.reads, runs.isOpening('ada/1')]).toEqual([0, false])
})

it('releases a run that was opened and never used', async () => {
  const { guide, host, journal, runs } = setUp()
  await guide.start('Go', { id: 'ada/1', journal }).settled

  await runs.openRun('ada/1')
  await host.advance(1_000)

  expect(runs.findRun('ada/1')).toBeUndefined()
})

it('releases a run that another owner resumed while it was being opened, when a user looks at it', async () => {
  const { journal, runs } = setUp(scriptedModel(() => new Promise(() => {})))
  const stamp = { at: 0, iteration: 0 }
  const said = { ...stamp, type: 'said', by: 'user', content: 'Go' } as const
  const begun = { ...stamp, seq: 0, type: 'started', runId: 'ada/1', agent: 'a', version: '1' } as const
  await journal.append('ada/1', [begun, { ...said, seq: 1 }])
  const { read } = journal
  journal.read = (id, from) => {
    const events = read(id, from)
    // After the second look, which is that of the agent.
    if (journal.reads === 2) journal.append('ada/1', [{ ...said, seq: 2 }])
    return events
  }

  await runs.openRun('ada/1')

  expect(await runs.checkRun('ada/1')).toBeUndefined()
})
