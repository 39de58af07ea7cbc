import { memoryJournal } from '@interleave/core/journal'
import { startOf } from '@interleave/testing/internal'
import { expect, it } from 'vitest'
import type { DurableStorage } from './durableContext.ts'
import { sleepyHost, Watchdog } from './watchdog.ts'

it('has told the list what it had to before a run is deleted', async () => {
  const told: string[] = []
  const storage = { setAlarm: async () => {}, deleteAlarm: async () => {} } as unknown as DurableStorage
  const { journal } = new Watchdog({
    ...{ storage, journal: memoryJournal(), host: sleepyHost(), watchMs: 30_000 },
    ...{ isAlive: () => true, revive: async () => {}, onMore() {} },
    async report({ runId }) {
      await new Promise((resolve) => setTimeout(resolve))
      told.push(runId)
    },
  })
  await journal.append('ada/r', [startOf('ada/r', 'a', 0)])

  await journal.delete('ada/r')

  expect([told, await journal.read('ada/r')]).toEqual([['ada/r'], []])
})

it('notifies the readers of a run that was at work when its object left memory', async () => {
  const journal = memoryJournal()
  let rung = 0
  const wake = () =>
    new Watchdog({
      ...{
        storage: { setAlarm: async () => {} } as unknown as DurableStorage,
        journal,
        host: sleepyHost(),
        watchMs: 1,
      },
      ...{ isAlive: () => true, revive: async () => {}, report: async () => {} },
      onMore: () => rung++,
    }).journal
  await wake().append('ada/r', [startOf('ada/r', 'a', 0)])
  const before = rung

  const awake = wake()
  await awake.append('ada/r', [{ seq: 1, at: 1, iteration: 0, type: 'resumed' }])
  await awake.append('ada/r', [{ seq: 2, at: 2, iteration: 0, type: 'resumed' }])

  // Once: who reads a run at work needs no more.
  expect(rung - before).toBe(1)
})
