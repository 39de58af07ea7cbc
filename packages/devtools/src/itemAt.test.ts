import { expect, it } from 'vitest'
import { goldenLog, goldenLogs } from '../../../test/golden/goldenLogs.ts'
import { itemAt } from './itemAt.ts'
import { messagesAt } from './MessageList.tsx'
import { LogRecorder, logOf } from './runLog.ts'
import { timelineOf } from './timelineOf.ts'

it.each(goldenLogs)('finds what every event of "%s" belongs to, and nothing after the end', (_, events) => {
  const log = logOf(events)

  for (const event of events) {
    const item = itemAt(log, event.seq)
    if (event.type === 'thought') expect(item).toMatchObject({ type: 'turn', thought: event })
    else if (event.type === 'drafted') expect(item?.type).toBe('turn')
    else expect(item?.events).toContain(event)
  }
  expect(itemAt(log, events.length)).toBeUndefined()
  expect(timelineOf(log).rows.filter(({ seq }) => !itemAt(log, seq))).toEqual([])
})

it('has a call with its approval and its question', () => {
  const log = logOf(goldenLog('approval-edited-then-a-question'))
  const called = log.events.find(({ type }) => type === 'claimed')

  const item = itemAt(log, called?.seq ?? -1)

  expect(item?.events.map(({ type }) => type).join(' ')).toMatch(/^asked replied claimed asked replied .*observed$/)
})

it('finds the streaming turn at the next `seq`', () => {
  const recorder = new LogRecorder()
  for (const event of goldenLog('stop-on-text').slice(0, 2)) recorder.record(event, 0)
  recorder.record({ type: 'thinking', iteration: 1 }, 5)

  expect(itemAt(recorder.snapshot(), 2)).toMatchObject({ type: 'turn', iteration: 1, thought: undefined })
})

it('has the messages that a turn was given, and none that came later', () => {
  const events = goldenLog('conversation-over-two-messages')
  const thoughts = events.filter((event) => event.type === 'thought')
  const [first, last] = [thoughts[0], thoughts.at(-1)]
  if (!first || !last) throw new Error('Nothing was thought.')

  expect(messagesAt(events, first).map(({ role }) => role)).toEqual(['user'])
  expect(messagesAt(events, last).filter(({ role }) => role === 'user')).toHaveLength(2)
})
