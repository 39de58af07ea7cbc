import { expect, it } from 'vitest'
import { localHost } from '../host.ts'
import { memoryJournal } from '../journal/memory.ts'
import { startOf } from '../testing/journal/sampleLog.ts'
import type { DurableStorage } from './durableStorage.ts'
import { createWatchdog } from './watchdog.ts'

it('has told the list what it had to before a run is deleted', async () => {
  const told: string[] = []
  const storage = { setAlarm: async () => {}, deleteAlarm: async () => {} } as unknown as DurableStorage
  const { journal } = createWatchdog({
    ...{ storage, journal: memoryJournal(), host: localHost, watchMs: 30_000 },
    ...{ sleepsUntil: () => undefined, isAlive: () => true, revive: async () => {}, onMore() {} },
    async tell({ runId }) {
      await new Promise((resolve) => setTimeout(resolve))
      told.push(runId)
    },
  })
  await journal.append('ada/r', [startOf('ada/r', 'a', 0)])

  await journal.delete('ada/r')

  expect([told, await journal.read('ada/r')]).toEqual([['ada/r'], []])
})
