import { AgentError } from '../error.ts'
import { count, listOf, maybe, type Shape, shapeOf, text } from '../shape.ts'

/** What a server says of a run. */
export interface ReadRun {
  readonly agent: string
  readonly length: number
  readonly asks: readonly { readonly ask: { readonly id: string }; readonly token: string }[]
}

const readRun: Shape = shapeOf({
  agent: text,
  length: count,
  asks: listOf(shapeOf({ ask: shapeOf({ id: text }), token: text })),
})
const done: Shape = shapeOf({ length: count, runId: maybe(text) })

export const asReadRun = (answer: unknown): ReadRun => checked<ReadRun>(answer, readRun)

/** How long the log was when something was done. */
export const lengthOf = (answer: unknown): number => checked<Pick<ReadRun, 'length'>>(answer, done).length

function checked<T>(answer: unknown, shape: Shape): T {
  const wrong = shape(answer)
  if (wrong === undefined) return answer as T
  throw new AgentError('remote_failed', `The server answers with a wrong or missing "${wrong}". Is its address right?`)
}
