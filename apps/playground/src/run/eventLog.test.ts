import { fold } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { createEventLog } from './eventLog.ts'

const resumed = (seq: number) => ({ type: 'resumed', seq, at: 0, iteration: 0 }) as const

it('puts what was written before in front of what it received, each event once', () => {
  const log = createEventLog()
  log.observer(resumed(2), fold([]))

  log.precede([resumed(0), resumed(1), resumed(2)])
  log.observer(resumed(3), fold([]))

  expect(log.events.map(({ seq }) => seq)).toEqual([0, 1, 2, 3])
})

it('takes back what was shown and not persisted', () => {
  const log = createEventLog()
  for (const seq of [0, 1, 2]) log.observer(resumed(seq), fold([]))

  log.observer({ type: 'rewound', to: 1 }, fold([]))
  log.observer({ ...resumed(1), at: 5 }, fold([]))

  expect(log.events).toEqual([resumed(0), { ...resumed(1), at: 5 }])
})
