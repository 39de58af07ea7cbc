import { describeFinding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import { scenarioNamed } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'
import { indexedDbJournal } from './journal/indexedDb/index.ts'

it.each(['two policies', 'two questions', 'one key'])('holds on IndexedDB: %s', async (name) => {
  const store = indexedDbJournal({ name: `schedules-${crypto.randomUUID()}` })
  let runs = 0
  const place = () => ({ store, runId: `r${++runs}`, isSlow: true }) as const

  const { finding } = await sampleSchedules(scenarioNamed(name), { seed: 1, schedules: 20, place })

  expect(finding && describeFinding(finding)).toBeUndefined()
})
