import { looked } from '@interleave/test-kit/looked'
import { expect, it } from 'vitest'
import type { Event, EventBody } from '../event.ts'
import { noUsage } from '../usage.ts'
import { addToChat, emptyChat } from './addToChat.ts'
import { messagesOf } from './messagesOf.ts'
import { pastRun } from './pastRun.ts'

/** Returns the log of a run whose calls each ask a question. */
function logOf(turns: number): readonly Event[] {
  const events: Event[] = []
  const add = (body: EventBody, iteration = 0) =>
    events.push({ seq: events.length, at: 0, iteration, ...body } as Event)
  add({ type: 'started', runId: 'r', agent: 'a', version: '1' })
  add({ type: 'said', by: 'user', content: 'Go' })
  for (let turn = 1; turn <= turns; turn++) {
    const call = `${turn}/tool/0`
    const id = `${call}/sure`
    const parts = [{ type: 'tool-call', toolCallId: 'c', toolName: 'w', input: {} }] as const
    const model = { provider: 'x', modelId: 'y' }
    add({ type: 'thought', readUntil: 2, model, parts, usage: noUsage, ms: 1 }, turn)
    add({ type: 'claimed', call }, turn)
    add({ type: 'asked', ask: { id, kind: 'confirm', prompt: 'OK?', call } } as EventBody, turn)
    add({ type: 'replied', ask: id, value: true }, turn)
    add({ type: 'observed', call, result: { type: 'text', value: 'x' }, ms: 1 }, turn)
  }
  return events
}

const searches = ['some', 'find', 'findLast', 'findIndex', 'findLastIndex', 'filter'] as const

it('draws a log twice as long with twice the work', () => {
  const [short, long] = [logOf(200), logOf(400)]

  const once = looked(searches, () => messagesOf(short))

  expect(looked(searches, () => messagesOf(long))).toBeLessThan(2.2 * once + 100)
})

it('visits each position of a log twice as long with twice the work', () => {
  const [short, long] = [logOf(200), logOf(400)]
  const visit = (log: readonly Event[]) => () => {
    for (const at of log.keys()) pastRun(log, { at })
  }
  const everything = [...searches, 'map', 'flatMap'] as const

  const once = looked(everything, visit(short))

  expect(looked(everything, visit(long))).toBeLessThan(2.2 * once + 100)
})

it('adds a turn to a long chat with the same work as to a short one', () => {
  const readsOf = (turns: number): number => {
    let reads = 0
    const messages = new Proxy(emptyChat().messages, {
      get(list, name) {
        reads++
        return Reflect.get(list, name)
      },
    })
    const chat = { ...emptyChat(), messages }
    for (const event of logOf(turns)) addToChat(chat, event)
    return reads
  }

  expect(readsOf(400)).toBeLessThan(2.2 * readsOf(200))
})
