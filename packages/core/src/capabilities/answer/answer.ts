import type { Answer } from '../../run.ts'
import { compileSchema, type Schema } from '../../schema.ts'
import { finalAnswerStep, finalAnswerTool } from './finalAnswer.ts'
import { remind } from './remind.ts'

/**
 * The type of an agent's answer: `agent({ output: answer(z.object({ metres: z.number() })) })`. The model then answers
 * through a tool with this schema, and an answer that does not fit goes back to it with the validation error.
 */
export function answer<T>(schema: Schema<T>): Answer<T> {
  const compiled = compileSchema(schema, 'answer()')
  return Object.freeze({
    get json() {
      return compiled.json
    },
    check: compiled.check,
    stop: finalAnswerStep(finalAnswerTool, compiled),
    otherwise: remind(),
  })
}
