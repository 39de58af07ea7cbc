// Schedules of runs on the journal of Durable Objects, on the SQLite of workerd.

import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundleWorker } from './bundleWorker.ts'
import { startWorkerd, type Workerd } from './startWorkerd.ts'

let workerd: Workerd | undefined

beforeAll(async () => {
  workerd = await startWorkerd({
    code: await bundleWorker('schedulesWorker.ts'),
    objects: { SCHEDULES: 'SchedulesObject' },
  })
})

afterAll(async () => {
  await workerd?.end()
})

test.each([...smallScenarios, ...largeScenarios].map(({ name }) => name))(
  'holds in an object: %s',
  async (scenario) => {
    const query = new URLSearchParams({ scenario, seed: '4000000', schedules: '100' })

    const response = await fetch(`${workerd?.url}/?${query}`)

    expect(await response.json()).toEqual({ schedules: 100 })
  },
)
