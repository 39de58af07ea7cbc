import { ask, drafted, messages, notes, outcome, said, signal, thought, usage } from './eventShape.ts'
import { origin } from './originShape.ts'
import {
  amount,
  byName,
  count,
  data,
  json,
  listOf,
  maybe,
  oneOf,
  recordOf,
  type Shape,
  shapeOf,
  text,
  time,
} from './shape.ts'

const call = shapeOf({
  ...outcome,
  key: text,
  id: text,
  name: text,
  input: json,
  invalid: maybe(text),
  calledAt: maybe(time),
  answered: maybe(oneOf(true)),
  idle: maybe(oneOf(true)),
  acts: maybe(oneOf(true)),
  proposed: maybe(json),
  questions: maybe(recordOf(ask)),
  notes: maybe(notes),
})
const message = shapeOf({ ...said, type: oneOf('said'), seq: count, at: time })
const entry = byName('type', {
  said: message,
  messages: shapeOf({ at: time, messages }),
  turn: shapeOf({ ...thought, iteration: count, at: time, calls: listOf(call) }),
})
const used = { iteration: count, toolCalls: count, usage, startedAt: time }
const draft = { iteration: count, text, reasoning: text, inputs: recordOf(data), progress: notes }

/** A state that was kept elsewhere. */
export const state: Shape = shapeOf({
  ...origin,
  ...used,
  seq: count,
  updatedAt: time,
  history: listOf(listOf(entry, 1)),
  compacted: maybe(shapeOf({ messages, from: count, iteration: count })),
  compactions: count,
  pending: listOf(message),
  asks: listOf(ask),
  notes,
  questions: maybe(recordOf(ask)),
  request: shapeOf({ ...used, seq: count, restedMs: amount, finish: maybe(oneOf(true)) }),
  extensions: recordOf(amount),
  rest: maybe(signal),
  drafted: maybe(drafted),
  draft: maybe(shapeOf(draft)),
})
