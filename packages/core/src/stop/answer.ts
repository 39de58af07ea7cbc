import { checkOptions } from '#checks'
import { AgentError } from '../error.ts'
import { joined } from '../history/scratchpad.ts'
import { isObject, type Json, parseJson, toJson } from '../json.ts'
import type { Agent, RunContext, Step } from '../run.ts'
import {
  accept,
  type Checked,
  type CompiledSchema,
  compileSchema,
  type JsonSchema,
  type Schema,
  typeOf,
  whenLoaded,
} from '../schema.ts'
import { failed, type Signal } from '../signal.ts'
import { type Call, latestTurn, openCalls } from '../state.ts'
import { textTurn, withheld } from '../step.ts'
import { checkToolName, failedOutcome, type Outcome, type ToolSpec } from '../tool.ts'

/** Reads an answer as the model meant it: models wrap it in a field `answer` unasked, or write JSON as text. */
export async function readAnswer(given: Json, output: CompiledSchema | undefined): Promise<Checked> {
  if (!output) return readText(given)
  const schema = await output.json
  let problem: Checked | undefined
  for (const reading of readings(given, schema)) {
    const checked = isOfType(reading, schema) ? await output.check(reading) : wrongType(schema)
    if (checked.ok) return checked
    problem ??= checked
  }
  return problem ?? wrongType(schema)
}

/** Reads an answer as text. A text that is the JSON of the tool's input is read like that input. */
function readText(given: Json): Checked {
  const [parsed] = typeof given === 'string' ? parsedOf(given).filter(isOnlyAnswer) : [given]
  const answer = isObject(parsed) ? parsed.answer : given
  if (typeof answer === 'string') return accept(answer)
  if (typeof answer === 'number' || typeof answer === 'boolean') return accept(String(answer))
  return { ok: false, message: 'give the answer as text in the field "answer"' }
}

/** Returns the possible readings, the likeliest first. */
function readings(given: Json, schema: JsonSchema): Json[] {
  const parsed = (value: Json): Json[] => (typeof value === 'string' ? parsedOf(value) : [])
  const unwrap = (value: Json): Json[] => unwrapped(value, schema)
  return unwrap(given).flatMap((value) => [value, ...parsed(value).flatMap(unwrap)])
}

/** Unwraps an `answer` field, unless the type has such a field itself. */
function unwrapped(value: Json, { type, properties = {} }: JsonSchema): Json[] {
  if (!isObject(value) || value.answer === undefined) return [value]
  const isOwn = Object.hasOwn(properties, 'answer') || (type === 'object' && !isOnlyAnswer(value))
  return isOwn ? [value, value.answer] : [value.answer, value]
}

const isOnlyAnswer = (value: Json): boolean => isObject(value) && Object.keys(value).join() === 'answer'

/** Parses a text as JSON: the whole text, or its only code block. */
function parsedOf(text: string): Json[] {
  const [block, another] = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)]
  return [text, ...(block && !another ? [block[1] ?? ''] : [])].flatMap((json) => {
    try {
      return [parseJson(json, { maxLength: 2_000_000 })]
    } catch {
      return []
    }
  })
}

/** Parses a text that may be JSON. */
export function jsonOrText(text: string): Json {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

/** Returns true if the value has the schema's type: some schemas would accept a text as an object. */
function isOfType(value: Json, { type }: JsonSchema): boolean {
  const is = typeOf(value)
  return type === undefined || [type].flat().some((name) => name === is || (name === 'integer' && is === 'number'))
}

const wrongType = ({ type }: JsonSchema): Checked => ({
  ok: false,
  message: `it has to be of type ${[type].flat().join(' or ')}`,
})

/** Additional fields next to an answer, which then always has its own field. */
type Fields = Readonly<Record<string, JsonSchema>>

/** Creates a tool whose input is the answer. Inputs are objects, so any other answer is in the field `answer`. */
export function answerTool(
  { name, description }: { readonly name: string; readonly description: string },
  output: CompiledSchema | undefined,
  beside?: Fields,
): ToolSpec {
  const wrap = (schema: JsonSchema): JsonSchema =>
    isObjectSchema(schema) && !beside ? schema : wrapAnswer(schema, beside)
  const schema: CompiledSchema = {
    get json() {
      return whenLoaded(output?.json ?? { type: 'string' }, wrap)
    },
    check: accept,
  }
  const spec = { name, description, schema, effect: 'pure', approve: 'never', terminal: true } as const
  return Object.freeze({ ...spec, ...(output && { output }) })
}

const isObjectSchema = ({ type }: JsonSchema): boolean => type === 'object'

/** Wraps a schema. Its references count from the root, so their targets stay there, or the references change. */
function wrapAnswer(schema: JsonSchema, beside: Fields = {}): JsonSchema {
  const { $schema, definitions, $defs, ...answer } = moveReferences(schema) as JsonSchema
  return {
    ...($schema && { $schema }),
    ...(definitions && { definitions }),
    ...($defs && { $defs }),
    type: 'object',
    properties: { answer, ...beside },
    required: ['answer', ...Object.keys(beside)],
    additionalProperties: false,
  }
}

function moveReferences(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(moveReferences)
  if (typeof part !== 'object' || part === null) return part
  const members = Object.entries(part).map(([key, value]) => [
    key,
    // A property may have this name, too.
    key === '$ref' && typeof value === 'string'
      ? value.replace(/^#(?!\/definitions\/|\/\$defs\/)/, '#/properties/answer')
      : moveReferences(value),
  ])
  return Object.fromEntries(members)
}

/** Returns the calls of a tool that its rule reads: those without a result, and one that it accepted before. */
export const answerCalls = ({ state }: RunContext, name: string): readonly Call[] =>
  (latestTurn(state)?.calls ?? []).filter((call) => call.name === name && (!call.result || call.final))

/** Ends a call that a stop rule has read, or will not read. */
export const close = (run: RunContext, { key }: Call, outcome: Outcome): void =>
  run.emit({ type: 'observed', call: key, ms: 0, ...outcome })

/** Ends the call that gave the answer, and those of other rules, which no longer apply. */
export function acceptCall(run: RunContext, { key, result }: Call): void {
  const accepted = { type: 'text', value: 'Accepted.' } as const
  if (!result) run.emit({ type: 'observed', call: key, ms: 0, result: accepted, final: true })
  for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close(run, call, ignored)
}

export const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** Returns the outcome of a rejected answer, as the model reads it. */
export const answerRefused = (problem: string): Outcome =>
  failedOutcome(new AgentError('tool_input_invalid', problem, { retryable: true }))

export interface OnFinalAnswerOptions {
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
export function onFinalAnswer(options: OnFinalAnswerOptions = {}): Step {
  checkOptions('onFinalAnswer()', options, ['name', 'description', 'output'])
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
