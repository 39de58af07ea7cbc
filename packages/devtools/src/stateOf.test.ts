import { fold } from '@interleave/core/observe'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { goldenLog, goldenLogs } from '../../../test/golden/goldenLogs.ts'
import { stateOf } from './runLog.ts'

it.each(goldenLogs)('gives the state of any part of "%s", in whatever order they are asked for', (_, events) => {
  const lengths = fc.array(fc.nat({ max: events.length }), { maxLength: 6 })

  fc.assert(
    fc.property(lengths, (parts) => {
      for (const length of parts) expect(stateOf(events.slice(0, length))).toEqual(fold(events.slice(0, length)))
    }),
  )
})

it('continues from the previous state if a log has grown', () => {
  const events = structuredClone(goldenLog('approval-edited-then-a-question'))
  const before = stateOf(events.slice(0, -1))

  expect(stateOf(events).history[0]).toBe(before.history[0])
})

it('reads a log again that differs from some event on', () => {
  const events = goldenLog('approval-edited-then-a-question')
  stateOf(events)
  const others = events.map((event, index) => (index > 1 ? { ...event, at: event.at + 1_000 } : event))

  expect(stateOf(others)).toEqual(fold(others))
})
