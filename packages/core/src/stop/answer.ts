import { AgentError } from '../error.ts'
import { isObject, type Json, parseJson } from '../json.ts'
import type { RunContext } from '../run.ts'
import { accept, type Checked, type CompiledSchema, type JsonSchema, typeOf, whenLoaded } from '../schema.ts'
import { type Call, latestTurn, openCalls } from '../state.ts'
import { failedOutcome, type Outcome, type ToolSpec } from '../tool.ts'

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

/** Reads a text as an input. A text that is the JSON of a tool's input is such an input again. */
function readText(given: Json): Checked {
  const [parsed] = typeof given === 'string' ? parsedOf(given).filter(isOnlyAnswer) : [given]
  const answer = isObject(parsed) ? parsed.answer : given
  if (typeof answer === 'string') return accept(answer)
  if (typeof answer === 'number' || typeof answer === 'boolean') return accept(String(answer))
  return { ok: false, message: 'give the answer as text in the field "answer"' }
}

/** Yields the possible readings, the likeliest first. */
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
  const wrap = (schema: JsonSchema): JsonSchema => (isPlain(schema) && !beside ? schema : wrapAnswer(schema, beside))
  const schema: CompiledSchema = {
    get json() {
      return whenLoaded(output?.json ?? { type: 'string' }, wrap)
    },
    check: accept,
  }
  const spec = { name, description, schema, effect: 'pure', approve: 'never', terminal: true } as const
  return Object.freeze({ ...spec, ...(output && { output }) })
}

const isPlain = ({ type }: JsonSchema): boolean => type === 'object'

/**
 * Wraps a schema. References of a schema count from its root, so their targets stay there, or the references change.
 */
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
  const members = Object.entries(part).map(([key, value]): [string, unknown] =>
    key === '$ref' && typeof value === 'string'
      ? [key, value.replace(/^#(?!\/definitions\/|\/\$defs\/)/, '#/properties/answer')]
      : [key, key === '$ref' ? value : moveReferences(value)],
  )
  return Object.fromEntries(members)
}

/**
 * Returns the calls of a tool that its rule must read: those without a result, and one that it accepted as the answer
 * before.
 */
export const answerCalls = ({ state }: RunContext, name: string): readonly Call[] =>
  (latestTurn(state)?.calls ?? []).filter((call) => call.name === name && (!call.result || call.final))

/** Ends a call that a stop rule has read, or will not read. */
export const close = (run: RunContext, { key }: Call, outcome: Outcome): void =>
  run.emit({ type: 'observed', call: key, ms: 0, ...outcome })

/** Ends the call that gave the answer, and those of other rules, which are not asked any more. */
export function acceptCall(run: RunContext, { key, result }: Call): void {
  const accepted = { type: 'text', value: 'Accepted.' } as const
  if (!result) run.emit({ type: 'observed', call: key, ms: 0, result: accepted, final: true })
  for (const call of openCalls(run.state)) if (run.agent.tools[call.name]?.terminal) close(run, call, ignored)
}

export const ignored: Outcome = { result: { type: 'text', value: 'Not read: only the first answer of a turn counts.' } }

/** Returns a problem with an answer, as the model reads it. */
export const answerRefused = (problem: string): Outcome =>
  failedOutcome(new AgentError('tool_input_invalid', problem, { retryable: true }))
