// SERVERS_RUNS and SERVERS_KILLS take other numbers, SERVERS_SEED the same ones again.

import { expect, test } from 'vitest'
import { play, usePostgres } from './playProcesses.ts'

const { SERVERS_RUNS = '40', SERVERS_KILLS = '40' } = process.env
const [runs, kills] = [Number(SERVERS_RUNS), Number(SERVERS_KILLS)]

usePostgres()

test('nothing is lost and nothing done twice, whenever processes die', { timeout: 900_000 }, async () => {
  const report = await play({ runs, kills })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(kills)
})

test('nothing is lost and nothing done twice, whenever processes freeze and wake', { timeout: 900_000 }, async () => {
  const report = await play({ runs: runs / 4, kills: kills / 4, frozenMs: 2_000 })

  expect(report.faults).toEqual([])
  expect(report.kills).toBe(Math.ceil(kills / 4))
})
