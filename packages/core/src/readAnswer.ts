import { isObject, type Json, parseJson } from './json.ts'
import { accept, type Checked, type CompiledSchema, type JsonSchema } from './schema.ts'

/**
 * Reads an answer the way it was meant. Models wrap it in a field `answer` unasked, leave that field out, and write JSON as
 * text or in a code block. With a schema the first reading counts that fits it; without one the answer is a text.
 */
export async function readAnswer(given: Json, output: CompiledSchema | undefined): Promise<Checked> {
  if (!output) return readText(given)
  const schema = await output.json
  let complaint: Checked | undefined
  for (const reading of readings(given, schema)) {
    const checked = isOfType(reading, schema) ? await output.check(reading) : wrongType(schema)
    if (checked.ok) return checked
    complaint ??= checked
  }
  return complaint ?? wrongType(schema)
}

/** A text that is itself the JSON of a tool's input is such an input once more. */
function readText(given: Json): Checked {
  const [parsed] = typeof given === 'string' ? parsedOf(given).filter(isOnlyAnswer) : [given]
  const answer = isObject(parsed) ? parsed.answer : given
  if (typeof answer === 'string') return accept(answer)
  if (typeof answer === 'number' || typeof answer === 'boolean') return accept(String(answer))
  return { ok: false, message: 'give the answer as text in the field "answer"' }
}

/** The likeliest first. */
function readings(given: Json, schema: JsonSchema): Json[] {
  const parsed = (value: Json): Json[] => (typeof value === 'string' ? parsedOf(value) : [])
  const unwrap = (value: Json): Json[] => unwrapped(value, schema)
  return unwrap(given).flatMap((value) => [value, ...parsed(value).flatMap(unwrap)])
}

/** An object that is to have an `answer` of its own is taken as it is first. */
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

/** Schemas that check nothing would take a text for an object, so the type that they tell is looked at first. */
function isOfType(value: Json, { type }: JsonSchema): boolean {
  const is = typeOf(value)
  return type === undefined || [type].flat().some((name) => name === is || (name === 'integer' && is === 'number'))
}

function typeOf(value: Json): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

const wrongType = ({ type }: JsonSchema): Checked => ({
  ok: false,
  message: `it has to be of type ${[type].flat().join(' or ')}`,
})
