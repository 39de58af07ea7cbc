import { memoryJournal, type TimedJournal } from '@interleave/core/journal'
import { manualHost } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { LiveRuns } from './liveRuns.ts'
import { servedJournal } from './servedJournal.ts'

/** A journal whose calls never answer, as over a connection that a firewall has forgotten. */
const forgotten = (): TimedJournal => {
  const never = (): Promise<never> => new Promise(() => {})
  return { ...memoryJournal(), append: never, claim: never, read: never, list: never, delete: never, idleMs: never }
}

it('ends each call that has no answer, as one that may be tried again, and says so once in the log', async () => {
  const said = vi.fn()
  const host = manualHost()
  const journal = servedJournal(forgotten(), host, said)
  const calls = [
    journal.claim?.('r', 0),
    journal.append('r', []),
    journal.read('r'),
    journal.list(),
    journal.delete('r'),
    journal.idleMs('r'),
  ]
  const ended = Promise.allSettled(calls)

  await host.advance(15_000)

  for (const each of await ended)
    expect(each).toMatchObject({ status: 'rejected', reason: { code: 'journal_failed', retryable: true } })
  expect(said.mock.calls).toEqual([[expect.stringContaining('A write to the journal failed: The journal has not')]])
  expect(host.timers).toBe(0)
})

it('leaves a journal that answers at once as it is', () => {
  const host = manualHost()

  expect(servedJournal(memoryJournal(), host).read('r')).toEqual([])
  expect(host.timers).toBe(0)
})

it.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('takes runs over by the clock of the journal, if its own is %s', async (_, offset) => {
  const host = { ...manualHost(), now: () => 10_000_000 + offset }
  const idle = { ms: 1_000 }
  const journal = { ...memoryJournal(), idleMs: () => idle.ms }
  const runs = new LiveRuns({ agents: new Map(), journal, host, takeoverAfterMs: 60_000 })

  expect(await runs.isAbandoned('r', { signal: undefined, updatedAt: 10_000_000 })).toBe(false)
  idle.ms = 61_000
  expect(await runs.isAbandoned('r', { signal: undefined, updatedAt: 10_000_000 })).toBe(true)
})
