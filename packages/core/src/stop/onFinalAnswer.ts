import type { Call } from '../entry.ts'
import { type Json, toJson } from '../json.ts'
import { openCalls } from '../openCalls.ts'
import type { RunContext, Step } from '../run.ts'
import { type CompiledSchema, isLoading, type JsonSchema } from '../schema.ts'
import type { Signal } from '../signal.ts'
import type { ToolSpec } from '../tool.ts'

export interface OnFinalAnswerOptions {
  /** The name of the tool; `final_answer` by default. */
  name?: string
  description?: string
}

/**
 * The model ends the run by calling a tool, whose input is the answer: the agent's `output` if it has one, else text. An
 * answer that does not fit is sent back with the complaint.
 */
export function onFinalAnswer({
  name = 'final_answer',
  description = 'Gives the final answer and ends the task. Call it once everything needed is known.',
}: OnFinalAnswerOptions = {}): Step {
  const step = async (run: RunContext): Promise<Signal | undefined> => {
    const [final, ...others] = openCalls(run.state).filter((call) => call.name === name)
    if (!final) return undefined
    for (const { key: call } of others) run.emit({ type: 'observed', call, ms: 0, result: ignored })
    const checked = await checkAnswer(run, final)
    const closed = { type: 'observed', call: final.key, ms: 0 } as const
    if ('complaint' in checked) {
      const message = `The answer does not fit: ${checked.complaint}. Call ${name} again.`
      const error = { code: 'tool_input_invalid', message, retryable: true } as const
      run.emit({ ...closed, result: { type: 'error-text', value: message }, error })
      return undefined
    }
    run.emit({ ...closed, result: { type: 'text', value: 'Accepted.' } })
    return { type: 'answer', output: checked.output, reason: 'finalAnswer' }
  }
  const tools: Step['tools'] = ({ output }) => [answerTool({ name, description }, output)]
  return Object.assign(step, { tools })
}

const ignored = { type: 'text', value: 'Not read: only the first answer of a turn counts.' } as const

type CheckedAnswer = { output: Json } | { complaint: string }

async function checkAnswer({ agent }: RunContext, { input, invalid }: Call): Promise<CheckedAnswer> {
  if (invalid) return { complaint: invalid }
  const { output } = agent
  const given = await unwrapAnswer(input, output)
  if (given === undefined) return { complaint: 'give the answer in the field "answer"' }
  const checked = output ? await output.check(given) : { ok: true as const, value: given }
  return checked.ok ? { output: toJson(checked.value) } : { complaint: checked.message }
}

/** Tool inputs are objects. An answer that is none is wrapped for the model, and unwrapped here. */
async function unwrapAnswer(input: Json, output: CompiledSchema | undefined): Promise<Json | undefined> {
  if (output && isObject(await output.json)) return input
  return input !== null && typeof input === 'object' && 'answer' in input ? (input.answer as Json) : undefined
}

const isObject = ({ type }: JsonSchema): boolean => type === 'object'

function answerTool(named: { name: string; description: string }, output: CompiledSchema | undefined): ToolSpec {
  const check: CompiledSchema['check'] = (value) => ({ ok: true, value })
  const schema: CompiledSchema = {
    get json() {
      const json = output?.json ?? ({ type: 'string' } as const)
      return isLoading(json) ? json.then(wrapAnswer) : wrapAnswer(json)
    },
    check,
  }
  return Object.freeze({ ...named, schema, effect: 'pure', approve: 'never', terminal: true } as const)
}

/** References of a schema count from its root, so what they point to stays there. */
function wrapAnswer(schema: JsonSchema): JsonSchema {
  if (isObject(schema)) return schema
  const { $schema, definitions, ...answer } = schema
  const root = { ...($schema && { $schema }), ...(definitions && { definitions }) }
  return { ...root, type: 'object', properties: { answer }, required: ['answer'], additionalProperties: false }
}
