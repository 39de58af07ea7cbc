import { expect, it } from 'vitest'
import { localHost } from '../host.ts'
import { RunHost } from './runHost.ts'

/** A clock that stands until it is moved, and counts the timers that were set on it. */
function clock() {
  let now = 0
  let timers: { at: number; callback: () => void }[] = []
  const self = {
    ...localHost,
    made: 0,
    get open() {
      return timers.length
    },
    now: () => now,
    timer(ms: number, callback: () => void) {
      const timer = { at: now + ms, callback }
      timers.push(timer)
      self.made++
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    setBack(ms: number) {
      now -= ms
      for (const timer of timers) timer.at -= ms
    },
    to(time: number) {
      for (;;) {
        const [next] = timers.toSorted((a, b) => a.at - b.at)
        if (!next || next.at > time) break
        now = next.at
        timers = timers.filter((other) => other !== next)
        next.callback()
      }
      now = time
    },
  }
  return self
}

it('rings no alarm late although the clock is set back', () => {
  const host = clock()
  const rung: string[] = []
  const run = new RunHost(host)
  run.timer(10, () => rung.push('first'))

  host.setBack(3_600)
  run.timer(5, () => rung.push('second'))
  host.to(-3_595)
  host.setBack(1_000)
  host.to(-4_590)

  expect(rung).toEqual(['second', 'first'])
})

it('counts no time in which the process slept, nor by which the clock was set forward', () => {
  const host = clock()
  const run = new RunHost(host)
  run.timer(24_000, () => {})
  host.to(10_000)
  expect(run.elapsed()).toBe(10_000)

  host.setBack(-660_000)
  expect(run.elapsed()).toBe(24_000)
  expect(run.skipped(0)).toBe(646_000)
  expect(run.skipped(700_000)).toBe(0)
})

it('skips no time of a rest, which does not count as work anyway', () => {
  const host = clock()
  const run = new RunHost(host)
  run.timer(10, () => {})
  run.release()
  host.setBack(-3_600_000)

  expect([run.elapsed(), run.skipped(0)]).toEqual([10, 0])
})

it('rings each alarm at its time', () => {
  const host = clock()
  const rung: string[] = []
  const { timer } = new RunHost(host)
  timer(30, () => rung.push(`late at ${host.now()}`))
  timer(10, () => rung.push(`soon at ${host.now()}`))

  host.to(100)

  expect(rung).toEqual(['soon at 10', 'late at 30'])
})

it('rings none that was called off, and the one after it at its own time', () => {
  const host = clock()
  const rung: number[] = []
  const { timer } = new RunHost(host)
  timer(10, () => rung.push(10))()
  host.to(5)
  timer(10, () => rung.push(host.now()))

  host.to(100)

  expect(rung).toEqual([15])
})

it('sets one timer for any number of alarms that are called off', () => {
  const host = clock()
  const { timer } = new RunHost(host)

  for (let i = 0; i < 100; i++) timer(10 + i, () => {})()

  expect(host.made).toBe(1)
})

it('lets go of a timer that nothing waits for, and keeps one that something does', () => {
  const host = clock()
  const run = new RunHost(host)
  const cancel = run.timer(10, () => {})

  run.release()
  const kept = host.open
  cancel()
  run.release()

  expect([kept, host.open]).toEqual([1, 0])
})

it('takes an alarm that another one sets while it rings', () => {
  const host = clock()
  const rung: number[] = []
  const { timer } = new RunHost(host)
  timer(10, () => timer(10, () => rung.push(host.now())))

  host.to(100)

  expect(rung).toEqual([20])
})

it('says that a host which gives no way to cancel a timer needs one', () => {
  const host = new RunHost({ ...localHost, timer: () => undefined as never })

  expect(() => host.timer(1, () => {})).toThrow('The result of timer() of the host must be a function.')
})
