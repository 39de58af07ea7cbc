import type { Event, RunState } from '@interleave/core'
import { initialState } from '@interleave/core/internal'
import type { LiveEvent } from '@interleave/core/observe'
import { expect, it } from 'vitest'
import { LiveBacklog } from './runSource.ts'

const delta = (text: string): LiveEvent => ({ type: 'delta', kind: 'text', delta: text })
/**
 * Three turns that are over: the second ends with the third event, the third with the fourth. Then a message follows.
 */
const events = [0, 1, 2, 3, 3].map((iteration, seq) => ({ seq, iteration }) as unknown as Event)
const backlogOf = (maxChars = 10_000) => {
  const run: { state: RunState; log: readonly Event[] } = { state: { ...initialState, seq: 2 }, log: events }
  return { run, backlog: new LiveBacklog(run, maxChars) }
}
const draft = { iteration: 1, text: 'All of it', reasoning: '', inputs: {}, progress: {} }

it('begins with the draft, or with its absence', () => {
  const { run, backlog } = backlogOf()
  const other = backlogOf()
  run.state = { ...run.state, draft }

  expect(backlog.takeDue(2)).toEqual([{ type: 'thinking', iteration: 1 }, delta('All of it')])
  expect(other.backlog.takeDue(2)).toEqual([{ type: 'rewound', to: 2 }])
})

it('merges deltas of one text, and returns them once', () => {
  const { backlog } = backlogOf()
  backlog.takeDue(2)

  for (const text of ['a', 'b', 'c']) backlog.addEvent(delta(text), 2)
  backlog.addEvent({ type: 'delta', kind: 'reasoning', delta: 'd' }, 2)

  expect(backlog.takeDue(2)).toEqual([delta('abc'), { type: 'delta', kind: 'reasoning', delta: 'd' }])
  expect(backlog.takeDue(2)).toEqual([])
})

it('returns each at its position, and omits what is too late', () => {
  const { backlog } = backlogOf()
  backlog.takeDue(2)

  backlog.addEvent(delta('a'), 2)
  backlog.addEvent(delta('b'), 3)
  backlog.addEvent(delta('c'), 4)

  expect(backlog.takeDue(3)).toEqual([delta('b')])
  expect(backlog.takeDue(4)).toEqual([delta('c')])
})

it('omits nothing of a turn in which an event becomes durable', () => {
  const { backlog } = backlogOf()
  backlog.takeDue(2)

  backlog.addEvent(delta('a'), 4)
  backlog.addEvent({ type: 'progressed', call: '3/tool/0', output: 1 }, 4)
  backlog.addEvent(delta('b'), 5)

  expect(backlog.takeDue(5)).toEqual([delta('a'), delta('b')])
})

it('queues no more than its limit, and returns the draft then', () => {
  const { run, backlog } = backlogOf(1_000)
  backlog.takeDue(2)
  for (let i = 0; i < 1_000; i++) backlog.addEvent(delta('x'.repeat(100)), 2)
  run.state = { ...run.state, draft }

  expect(backlog.takeDue(2)).toEqual([{ type: 'thinking', iteration: 1 }, delta('All of it')])
})

it('holds the draft back until all events before it are sent', () => {
  const { run, backlog } = backlogOf()
  run.state = { ...run.state, seq: 3, draft }

  expect(backlog.takeDue(2)).toEqual([])
  expect(backlog.takeDue(3)).toHaveLength(2)
})
