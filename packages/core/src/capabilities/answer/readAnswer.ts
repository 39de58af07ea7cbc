import { isObject, type Json, parseJson } from '../../json.ts'
import { accept, type Checked, type CompiledSchema, type JsonSchema, typeOf } from '../../schema.ts'

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
