import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createRandom } from '@interleave/test-kit/chaos/createRandom'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { kill } from '../processes/kill.ts'
import { installClock } from './jumpingClock.ts'
import { clockTrouble, sleepTrouble } from './processTroubles.ts'

/** A program that says what time it is. */
const program = `
(${installClock})()
process.on('message', (message) => {
  if (typeof message === 'number') jumpClock(message)
  else process.send([Date.now(), new Date().getTime(), Date.parse(Date()), new Date(5).getTime(), performance.now(), new Date() instanceof Date])
})
process.send('ready')
`

let child: ReturnType<typeof fork>
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'clock-'))
  writeFileSync(path.join(folder, 'program.mjs'), program)
  child = fork(path.join(folder, 'program.mjs'), { execArgv: [] })
  await once(child, 'message')
})
afterEach(async () => {
  await kill(child)
  rmSync(folder, { recursive: true })
})

async function timesOf(): Promise<readonly number[]> {
  child.send('now')
  return (await once(child, 'message'))[0] as number[]
}

it('moves the clock of a process, and not its timers', async () => {
  const end = await clockTrouble((ms) => child.send(ms)).begin(() => 0)
  const [now = 0, made = 0, told = 0, given, elapsed = 0, isDate] = await timesOf()
  const aheadMs = 600_000

  for (const each of [now, made, told]) expect(Math.abs(each - Date.now() - aheadMs)).toBeLessThan(60_000)
  expect([given, isDate]).toEqual([5, true])
  expect(elapsed).toBeLessThan(60_000)
  await end()
  expect(Math.abs(((await timesOf())[0] ?? 0) - Date.now())).toBeLessThan(60_000)
})

it('lets a process sleep, which then continues', async () => {
  const end = await sleepTrouble('sleeps', () => child.pid ?? 0).begin(createRandom(1))
  let isAnswered = false
  const answer = timesOf().finally(() => {
    isAnswered = true
  })
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isAnswered).toBe(false)
  await end()

  expect(await answer).toHaveLength(6)
})
