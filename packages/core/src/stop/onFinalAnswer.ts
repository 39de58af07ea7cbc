import { AgentError } from '../error.ts'
import { joined } from '../history/scratchpad.ts'
import { toJson } from '../json.ts'
import { type KnownOptions, refuseUnknown } from '../options.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import { type Checked, type CompiledSchema, compileSchema, type Schema } from '../schema.ts'
import { failed, type Signal } from '../signal.ts'
import type { Call } from '../state.ts'
import { textTurn, withheld } from '../step.ts'
import { checkToolName } from '../tool.ts'
import { acceptCall, answerCalls, answerRefused, answerTool, close, ignored, readAnswer } from './answer.ts'

export interface OnFinalAnswerOptions {
  /** The name of the tool; `final_answer` by default. */
  name?: string
  description?: string
  /** The type of the answer, instead of the agent's own `output`. The types of a run know only of the agent's. */
  output?: Schema
}

const onFinalAnswerOptions: KnownOptions<OnFinalAnswerOptions> = {
  name: 'a string',
  description: 'a string',
  output: true,
}

/**
 * Ends the run when the model calls a tool whose input is the answer: of the agent's `output` type, or text. An invalid
 * answer goes back with the validation error.
 */
export function onFinalAnswer(options: OnFinalAnswerOptions = {}): Step {
  refuseUnknown('onFinalAnswer()', options, onFinalAnswerOptions)
  const { name = finalAnswer.name, description = finalAnswer.description, output } = options
  checkToolName('onFinalAnswer()', name)
  return finalAnswerStep({ name, description }, output && compileSchema(output, 'The output of onFinalAnswer()'))
}

const finalAnswer = {
  name: 'final_answer',
  description: 'Gives the final answer and ends the task. Call it once everything needed is known.',
}

/** Creates the step of `onFinalAnswer()`, from options that are valid. */
function finalAnswerStep({ name, description }: typeof finalAnswer, own?: CompiledSchema): Step {
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

/** Creates a stop rule: a turn without tool calls is the answer, and its text the output. */
export const onText = (): Step => (run) => {
  const turn = textTurn(run.state)
  if (!turn) return undefined
  const filtered = withheld(turn)
  if (filtered) return filtered
  const output = joined(turn, 'text')
  if (turn.finish?.unified !== 'length') return { type: 'answer', output, reason: 'text' }
  if (output !== '') return { type: 'answer', output, reason: 'length' }
  const cut = 'The model reached its limit of output before it answered. Raise maxOutputTokens.'
  return failed(new AgentError('model_incomplete', cut))
}

/** Creates the stop rule that fits the agent: a typed output needs the tool that carries it. */
export function onOutput(): Step {
  const [typed, plain] = [finalAnswerStep(finalAnswer), onText()]
  const step = (run: RunContext) => (run.agent.output ? typed : plain)(run)
  const tools = (agent: Pick<Agent, 'output'>) => (agent.output ? (typed.tools?.(agent) ?? []) : [])
  return Object.assign(step, { tools })
}
