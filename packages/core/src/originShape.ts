import { count, type Members, maybe, oneOf, type Shape, shapeOf, text } from './shape.ts'

const filled: Shape = (value) => (value === '' ? '' : text(value))

/** Whose run it is. */
export const origin: Members = {
  runId: filled,
  agent: text,
  version: text,
  parent: maybe(shapeOf({ runId: text, key: text, depth: count })),
  exposeReasoning: maybe(oneOf(false)),
}
