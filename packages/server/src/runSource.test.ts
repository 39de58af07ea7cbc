import type { Event } from '@interleave/core'
import { AgentError } from '@interleave/core'
import { expect, it } from 'vitest'
import type { LiveRuns } from './liveRuns.ts'
import { RunSource } from './runSource.ts'

const started: Event = { seq: 0, at: 1, iteration: 0, type: 'started', runId: 'r', agent: 'a', version: '1' }

/** A reader of a run whose process is gone, where it cannot be taken over for these reasons, one after the other. */
function setUp(...reasons: readonly Error[]) {
  let tries = 0
  const clock = { time: 100_000, checks: 0 }
  const reported: unknown[] = []
  const runs: Partial<LiveRuns> = {
    isAbandoned: async () => true,
    findRun: () => undefined,
    checkRun: async () => void clock.checks++,
    openRun: () => Promise.reject(reasons[Math.min(tries++, reasons.length - 1)]),
  }
  const source = new RunSource({
    id: 'r',
    runs: runs as LiveRuns,
    journal: { read: (_: string, from = 0) => [started].slice(from) } as never,
    host: { now: () => clock.time },
    failures: { receiveRunError: (...failure) => void reported.push(failure) },
    onMore() {},
  })
  return { source, clock, reported, tries: () => tries }
}

it('tries again to take a run over after a temporary failure', async () => {
  const away = new AgentError('journal_failed', 'The database is away.', { retryable: true })
  const { source, tries, reported } = setUp(away)

  for (let i = 0; i < 3; i++) expect(await source.readView()).toMatchObject({ events: [started], fault: undefined })

  expect(tries()).toBe(3)
  expect(reported).toEqual([[away, 'r']])
})

it('leaves a run that cannot be resumed here', async () => {
  const { source, tries } = setUp(new AgentError('agent_mismatch', 'There is no agent "a" here.'))

  for (let i = 0; i < 3; i++) expect(await source.readView()).toMatchObject({ events: [started], fault: undefined })

  expect(tries()).toBe(1)
})

it('compares the run with the journal again after the clock was set back', async () => {
  const { source, clock } = setUp(new AgentError('agent_mismatch', 'There is no agent "a" here.'))
  for (let i = 0; i < 3; i++) await source.readView()
  clock.time -= 50_000

  for (let i = 0; i < 3; i++) await source.readView()

  expect(clock.checks).toBe(2)
})
