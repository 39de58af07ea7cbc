import { fold } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { createEventLog } from './eventLog.ts'

const resumed = (seq: number) => ({ type: 'resumed', seq, at: 0, iteration: 0 }) as const

it('puts what was written before in front of what it heard, each event once', () => {
  const log = createEventLog()
  log.observer.onEvent?.(resumed(2), fold([]))

  const found = log.precede([resumed(0), resumed(1), resumed(2)])
  log.observer.onEvent?.(resumed(3), fold([]))

  expect(log.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
  expect(found.map(({ seq }) => seq)).toEqual([0, 1])
})
