import { checkOptions } from '#checks'
import { toJson } from '../../json.ts'
import type { RunContext, Step } from '../../run.ts'
import { type Checked, type CompiledSchema, compileSchema, type Schema } from '../../schema.ts'
import type { Signal } from '../../signal.ts'
import type { Call } from '../../state.ts'
import { checkToolName } from '../../tool.ts'
import { acceptCall, answerCalls, answerRefused, answerTool, close, ignored } from './answerTool.ts'
import { readAnswer } from './readAnswer.ts'

export interface FinalAnswerOptions {
  /** The name of the tool; `final_answer` by default. */
  name?: string
  description?: string
  /** The type of the answer, instead of the agent's own `output`. A run's types reflect only the agent's. */
  output?: Schema
}

/**
 * Ends the run when the model calls a tool whose input is the answer: of the agent's `output` type, or text. An invalid
 * answer goes back with the validation error.
 */
export function finalAnswer(options: FinalAnswerOptions = {}): Step {
  checkOptions('finalAnswer()', options, ['name', 'description', 'output'])
  const { name = finalAnswerTool.name, description = finalAnswerTool.description, output } = options
  checkToolName('finalAnswer()', name)
  return finalAnswerStep({ name, description }, output && compileSchema(output, 'The output of finalAnswer()'))
}

export const finalAnswerTool = {
  name: 'final_answer',
  description: 'Gives the final answer and ends the task. Call it once everything needed is known.',
}

/** Creates the step of `finalAnswer()`, from options that are valid. */
export function finalAnswerStep({ name, description }: typeof finalAnswerTool, own?: CompiledSchema): Step {
  const step = async (run: RunContext): Promise<Signal | undefined> => {
    const [final, ...others] = answerCalls(run, name)
    if (!final) return undefined
    for (const call of others) close(run, call, ignored)
    const answer = await answerOf(final, own ?? run.agent.output)
    if (!answer.ok) {
      close(run, final, answerRefused(`The answer does not fit: ${answer.message}. Call ${name} again.`))
      return undefined
    }
    const value = toJson(answer.value)
    acceptCall(run, final)
    return { type: 'answer', output: value, reason: 'finalAnswer' }
  }
  const tools: Step['tools'] = (agent) => [answerTool({ name, description }, own ?? agent.output)]
  return Object.assign(step, { tools })
}

/** Returns the answer in a call. Invalid input that does not look like JSON is a text answer of some models. */
function answerOf({ input, invalid }: Call, output: CompiledSchema | undefined): Checked | PromiseLike<Checked> {
  if (invalid && (output || /^\s*[{["]/.test(String(input)))) return { ok: false, message: invalid }
  return readAnswer(input, output)
}
