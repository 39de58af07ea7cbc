import { count, json, listOf, type Shape, shapeOf, text, time } from '@interleave/core/shapes'

/** What is sent with the answer to a question. */
export interface Token {
  readonly ask: string
  /** When the question was asked. */
  readonly at: number
  readonly token: string
}

/** What may come in a stream, and what it has to be. Events are looked into where they are taken. */
export const frames: Readonly<Record<string, Shape>> = {
  message: shapeOf({ seq: count, at: time, type: text }),
  fault: shapeOf({ seq: count, at: time, type: text }),
  live: listOf(shapeOf({ type: text })),
  token: shapeOf({ ask: text, at: time, token: text }),
  errand: json,
  hello: shapeOf({ heartbeatMs: count }),
  gone: json,
}
