import type { Call } from '../entry.ts'
import { AgentError } from '../error.ts'
import { type Json, toJson } from '../json.ts'
import { openCalls } from '../openCalls.ts'
import { failedOutcome, type Outcome } from '../outcome.ts'
import type { RunContext, Step } from '../run.ts'
import { accept, type Checked, type CompiledSchema, type JsonSchema, whenLoaded } from '../schema.ts'
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
    const close = ({ key }: Call, outcome: Outcome): void =>
      run.emit({ type: 'observed', call: key, ms: 0, ...outcome })
    for (const call of others) close(call, ignored)
    const answer = await answerOf(final, run.agent.output)
    if (!answer.ok) {
      const message = `The answer does not fit: ${answer.message}. Call ${name} again.`
      close(final, failedOutcome(new AgentError('tool_input_invalid', message, { retryable: true })))
      return undefined
    }
    const output = toJson(answer.value)
    close(final, accepted)
    return { type: 'answer', output, reason: 'finalAnswer' }
  }
  const tools: Step['tools'] = ({ output }) => [answerTool({ name, description }, output)]
  return Object.assign(step, { tools })
}

const accepted: Outcome = { result: { type: 'text', value: 'Accepted.' } }
const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** Tool inputs are objects. An answer that is none is wrapped for the model, and unwrapped here. */
async function answerOf({ input, invalid }: Call, output: CompiledSchema | undefined): Promise<Checked> {
  if (invalid) return { ok: false, message: invalid }
  const given = output && isObject(await output.json) ? input : (input as { answer?: Json } | null)?.answer
  if (given === undefined) return { ok: false, message: 'give the answer in the field "answer"' }
  return output ? output.check(given) : accept(given)
}

const isObject = ({ type }: JsonSchema): boolean => type === 'object'

function answerTool(named: { name: string; description: string }, output: CompiledSchema | undefined): ToolSpec {
  const schema: CompiledSchema = {
    get json() {
      return whenLoaded(output?.json ?? { type: 'string' }, wrapAnswer)
    },
    check: accept,
  }
  return Object.freeze({ ...named, schema, effect: 'pure', approve: 'never', terminal: true } as const)
}

/** References of a schema count from its root, so what they point to stays there. */
function wrapAnswer(schema: JsonSchema): JsonSchema {
  if (isObject(schema)) return schema
  const { $schema, definitions, ...answer } = schema
  return {
    ...($schema && { $schema }),
    ...(definitions && { definitions }),
    type: 'object',
    properties: { answer },
    required: ['answer'],
    additionalProperties: false,
  }
}
