import type { Json } from '../../json.ts'
import { accept, compileSchema, type JsonSchema, type Schema, whenLoaded } from '../../schema.ts'
import type { Elsewhere, ToolContext } from '../../tool.ts'
import type { QuestionEngine, TypedQuestion } from '../../typedQuestion.ts'
import { receive } from '../questions/askInCall.ts'
import { questionEngineWith } from '../questions/engine.ts'

/**
 * The work of a tool that the app does, and not a function: each call becomes a question of the kind `form`, and the
 * reply is the result. `outputSchema` is the schema of the result; without it any JSON is one.
 *
 * @example
 * tool({ inputSchema, execute: elsewhere(z.object({ signed: z.boolean() })) })
 */
export function elsewhere<Output = Json>(outputSchema?: Schema<Output>): Elsewhere<Output> {
  const { json, check } = outputSchema ? compileSchema(outputSchema, 'The result of elsewhere()') : anything
  const execute = (input: unknown, { ask, toolName }: ToolContext<never>): Promise<Output> => {
    const prompt = `${toolName}: ${JSON.stringify(input)}`
    const question = whenLoaded(json, (schema: JsonSchema) => ({ kind: 'form', prompt, schema }) as const)
    return ask<Output>({ question, check, engine } as TypedQuestion<Output>)
  }
  return Object.assign(execute, { isElsewhere: true } as const)
}

const anything = { json: {}, check: accept }

/** The call does nothing with the reply, which is its result, so it needs no claim of its own. */
const engine: QuestionEngine = /* @__PURE__ */ questionEngineWith({
  askInCall: (asking) => receive(asking, () => asking.activity.ask(asking.key, asking.question)),
})
