import { AgentError } from './error.ts'
import * as shapes from './eventShape.ts'
import { harmless } from './harmless.ts'
import type { Part } from './part.ts'
import type { Shape } from './shape.ts'

/**
 * A part that a model sent, as it may stand in a log. Throws `model_malformed` for one that nobody could read again: the turn
 * failed, and not the run that is loaded tomorrow.
 */
export const soundPart = <P extends Part>(part: P): P => sound(part, { type: part.type, shape: shapes.part })

interface Expected {
  /** The type of what was sent. */
  readonly type: string
  readonly shape: Shape
}

/** Any piece of a turn of which the shape is known. */
export function sound<T>(data: T, { type, shape }: Expected): T {
  const clean = harmless(data)
  const wrong = shape(clean)
  if (wrong === undefined) return clean
  const what = wrong ? `a wrong or missing "${wrong}"` : 'nothing that could be read'
  throw new AgentError('model_malformed', `The model sent a "${type}" with ${what}.`)
}
