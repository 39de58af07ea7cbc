import { count, json, listOf, type Shape, shapeOf, text, time } from '@interleave/core/shapes'

/** The token that accompanies a reply. */
export interface Token {
  readonly ask: string
  /** When the question was asked. */
  readonly at: number
  readonly token: string
}

/** The valid frames and their shapes. Events are validated where they are used. */
export const frames: Readonly<Record<string, Shape>> = {
  message: shapeOf({ seq: count, at: time, type: text }),
  fault: shapeOf({ seq: count, at: time, type: text }),
  live: listOf(shapeOf({ type: text })),
  token: shapeOf({ ask: text, at: time, token: text }),
  errand: json,
  hello: shapeOf({ heartbeatMs: count }),
  gone: json,
}
