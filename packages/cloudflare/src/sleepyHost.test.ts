import { expect, it } from 'vitest'
import { sleepyHost } from './watchdog.ts'

it('knows until when all that is done is to let time pass', async () => {
  const host = sleepyHost()
  let [wake, work] = [(_: null): void => {}, (_: null): void => {}]
  const asleep = host.perform(
    { kind: 'sleep', key: 'a', ms: 60_000 },
    () => new Promise<null>((resolve) => (wake = resolve)),
  )
  const until = host.sleepsUntil() ?? 0
  expect(until - Date.now()).toBeGreaterThan(50_000)

  const working = host.perform(
    { kind: 'tool', key: 'b', name: 'b', input: {} },
    () => new Promise((resolve) => (work = resolve)),
  )
  expect(host.sleepsUntil()).toBeUndefined()
  work(null)
  await working
  expect(host.sleepsUntil()).toBe(until)
  wake(null)
  await asleep
  expect(host.sleepsUntil()).toBeUndefined()
})
