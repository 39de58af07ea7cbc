import { failure, model } from './eventShape.ts'
import { amount, byName, count, json, maybe, oneOf, type Shape, shapeOf, text } from './shape.ts'

/** Validates a foreign live event. */
export const liveEvent: Shape = byName('type', {
  thinking: shapeOf({ iteration: count, heard: maybe(count) }),
  delta: shapeOf({ kind: oneOf('text', 'reasoning', 'input'), delta: text, id: maybe(text), tool: maybe(text) }),
  progressed: shapeOf({ call: text, output: json }),
  retrying: shapeOf({ attempt: count, inMs: amount, error: failure, model }),
  dropped: shapeOf({ call: text }),
  rewound: shapeOf({ to: count }),
  owned: shapeOf({ by: oneOf('here', 'elsewhere', 'nobody') }),
})
