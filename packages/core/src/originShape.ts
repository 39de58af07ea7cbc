import { count, id, type Members, maybe, oneOf, shapeOf, text } from './shape.ts'

/** The members of the run's origin. */
export const origin: Members = {
  runId: id,
  agent: text,
  version: text,
  parent: maybe(shapeOf({ runId: id, key: text, depth: count })),
  exposeReasoning: maybe(oneOf(false)),
}
