import { DatabaseSync } from 'node:sqlite'
import { postgresJournal, sqliteJournal } from '@interleave/server/node'
import { describeFinding, sampleSchedules } from '@interleave/test-kit/schedules/explore'
import type { Place } from '@interleave/test-kit/schedules/playSchedule'
import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Postgres, startPostgres } from './startPostgres.ts'

const scenarios = [...smallScenarios, ...largeScenarios].map((scenario) => [scenario.name, scenario] as const)

let server: Postgres
let pool: pg.Pool
beforeAll(async () => {
  server = await startPostgres()
  pool = new pg.Pool({ connectionString: server.url })
})
afterAll(async () => {
  await pool.end()
  await server.close()
})

type Sampled = Omit<Place, 'runId'> & { readonly schedules: number }

async function sampled(scenario: (typeof scenarios)[number][1], { schedules, ...journal }: Sampled) {
  let runs = 0
  const place = (): Place => ({ ...journal, runId: `${scenario.name}-${++runs}` })
  const { finding } = await sampleSchedules(scenario, { seed: 2_000_000, schedules, place })
  return finding && describeFinding(finding)
}

it.each(scenarios)('holds on SQLite: %s', async (_, scenario) => {
  const store = sqliteJournal(new DatabaseSync(':memory:'))

  expect(await sampled(scenario, { store, schedules: 200 })).toBeUndefined()
})

/** A client who looks waits for reads, which only the scheduler lets through. */
it.each(scenarios.filter(([, { isServed }]) => !isServed))('holds on PostgreSQL: %s', async (_, scenario) => {
  expect(await sampled(scenario, { store: postgresJournal(pool), isSlow: true, schedules: 50 })).toBeUndefined()
})
