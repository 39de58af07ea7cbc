import type { Event } from '@interleave/core'
import { noUsage } from '@interleave/core/internal'
import { looked } from '@interleave/test-kit/looked'
import { expect, it } from 'vitest'
import { uiMessageChunks } from './chatStream.ts'
import { toUIMessages } from './toUIMessages.ts'

/** Returns the log of a run whose calls each ask a question. */
function logOf(turns: number): readonly Event[] {
  const events: object[] = []
  const add = (body: object, iteration = 0) => events.push({ seq: events.length, at: 0, iteration, ...body })
  add({ type: 'started', runId: 'r', agent: 'a', version: '1' })
  add({ type: 'said', by: 'user', content: 'Go' })
  for (let turn = 1; turn <= turns; turn++) {
    const call = `${turn}/tool/0`
    const id = `${call}/ask/0`
    const parts = [{ type: 'tool-call', toolCallId: 'c', toolName: 'w', input: {} }]
    const model = { provider: 'x', modelId: 'y' }
    add({ type: 'thought', readUntil: turn === 1 ? 2 : 0, model, parts, usage: noUsage, ms: 1 }, turn)
    add({ type: 'claimed', call }, turn)
    add({ type: 'asked', ask: { id, kind: 'confirm', prompt: 'OK?', yes: 'Yes', no: 'No', call } }, turn)
    add({ type: 'replied', ask: id, value: true }, turn)
    add({ type: 'observed', call, result: { type: 'text', value: 'x' }, ms: 1 }, turn)
  }
  return events as readonly Event[]
}

const searches = ['map', 'flatMap', 'some', 'find', 'filter', 'findIndex', 'findLastIndex'] as const

it.each([
  ['toUIMessages', (events: readonly Event[]) => toUIMessages(events)],
  ['uiMessageChunks', (events: readonly Event[]) => [...uiMessageChunks(events)]],
])('converts a log twice as long with twice the work: %s', (_, convert) => {
  const [short, long] = [logOf(400), logOf(800)]

  const once = looked(searches, () => convert(short))

  expect(looked(searches, () => convert(long))).toBeLessThan(2.3 * once + 100)
})
