import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { killWords } from './Kill.ts'

const event = (type: 'claimed' | 'observed', call: string, seq: number): Event =>
  ({ type, call, seq, at: seq, v: 1 }) as unknown as Event
const before = [event('claimed', 'search', 1), event('observed', 'search', 2), event('claimed', 'book', 3)]

it('counts the calls that were finished, and those of them that ran again', () => {
  const kill = { at: 1_000, seq: 3, backAt: 1_120 }

  expect(killWords(kill, [...before, event('observed', 'book', 4)])).toBe(
    'Killed at event 3, back after 120 ms, 1 finished call, 0 repeated.',
  )
  expect(killWords(kill, [...before, event('claimed', 'search', 4)])).toContain('1 finished call, 1 repeated')
})

it('says of a payment that the bank was asked again, and paid once', () => {
  const kill = { at: 1_000, seq: 3, backAt: 1_600 }
  const payment = { key: 'k', runId: 'r', what: 'RAIL', amount: 54, at: 900, asked: 2 }

  expect(killWords(kill, before, [payment])).toBe(
    'Killed while paying. 600 ms later it asked the bank again with the same key; the bank paid once.',
  )
  expect(killWords(kill, before, [{ ...payment, asked: 1 }])).toContain('Killed at event 3')
  expect(killWords(kill, before, [{ ...payment, at: 1_100 }])).toContain('Killed at event 3')
})

it('says that a run is not back yet', () => {
  expect(killWords({ at: 1_000, seq: 3 }, before)).toBe('Killed at event 3, not back yet, 1 finished call, 0 repeated.')
})
