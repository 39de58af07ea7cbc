import { DatabaseSync } from 'node:sqlite'
import type { SqlRow, SqlStorage } from '@interleave/cloudflare'
import { sqlJournal } from '@interleave/cloudflare'
import {
  describeFinding,
  exhaustSchedules,
  type Finding,
  sampleSchedules,
} from '@interleave/test-kit/schedules/explore'
import type { Place } from '@interleave/test-kit/schedules/playSchedule'
import { largeScenarios, smallScenarios } from '@interleave/test-kit/schedules/scenarios'
import { expect, it } from 'vitest'

const shown = (finding: Finding | undefined): string | undefined => finding && describeFinding(finding)
const named = [...smallScenarios, ...largeScenarios].map((scenario) => [scenario.name, scenario] as const)

it.each(smallScenarios.map((scenario) => [scenario.name, scenario] as const))(
  'holds with each two deviations: %s',
  async (_, scenario) => {
    const { schedules, finding } = await exhaustSchedules(scenario, { deviations: 2, most: 10_000 })

    expect(shown(finding)).toBeUndefined()
    expect(schedules).toBeGreaterThan(3_000)
  },
  240_000,
)

it.each(largeScenarios.map((scenario) => [scenario.name, scenario] as const))(
  'holds whatever chance decides: %s',
  async (_, scenario) => {
    const { finding } = await sampleSchedules(scenario, { seed: 1_000_000, schedules: 20_000 / largeScenarios.length })

    expect(shown(finding)).toBeUndefined()
  },
  600_000,
)

/** A database in memory, in the shape in which a Durable Object has its own. */
function sqliteStorage(): SqlStorage {
  const database = new DatabaseSync(':memory:')
  return {
    sql: {
      exec: (query, ...bindings) => {
        const rows = database.prepare(query).all(...(bindings as (string | number | null)[]))
        return { toArray: () => rows as SqlRow[] }
      },
    },
    transactionSync(work) {
      database.exec('BEGIN')
      try {
        const done = work()
        database.exec('COMMIT')
        return done
      } catch (error) {
        database.exec('ROLLBACK')
        throw error
      }
    },
    sync: async () => {},
  }
}

it.each(named)(
  'holds on SQLite: %s',
  async (_, scenario) => {
    const store = sqlJournal(sqliteStorage())
    let runs = 0
    const place = (): Place => ({ store, runId: `r${++runs}` })

    const { finding } = await sampleSchedules(scenario, { seed: 2_000_000, schedules: 300, place })

    expect(shown(finding)).toBeUndefined()
  },
  240_000,
)
