import { DEV } from '#checks'
import { AgentError } from '../../error.ts'
import { canonicalJson, isObject, isPlain, type Json, sameJson, toJson } from '../../json.ts'
import type { Checked, CompiledSchema } from '../../schema.ts'

/** An input that a user changed before it runs. */
interface Edit {
  readonly schema: CompiledSchema
  /** The input as the model wrote it. */
  readonly given: Json
  /** The edited input as the schema parses it: the input that would run. */
  readonly input: unknown
  /** `input` as JSON, which the user was shown. */
  readonly shown: Json
  /** The input that the user wants to run. */
  readonly edited: Json
}

/**
 * Returns the input that equals `edited` as JSON, byte for byte, or the reason why there is none. A schema may
 * transform its input, and `shown` is already transformed: so the change is applied to the model's input, then to the
 * shown one, and counts only if the schema turns it into what the user wrote. Members that a transform computes are
 * changed in the shown input, if the schema accepts them and only values change, not their types.
 */
export async function applyEdit({ schema, given, input, shown, edited }: Edit): Promise<Checked> {
  // Different values may have the same JSON: `null` is also the JSON of Infinity.
  const isWanted = (checked: Checked): boolean =>
    checked.ok && sameJson(checked.value, edited) && isShown(checked.value, 0)
  if (sameJson(edited, shown)) return { ok: true, value: input }
  const again = await schema.check(change(given, shown, edited))
  if (isWanted(again)) return again
  const direct = await schema.check(toJson(edited))
  if (isWanted(direct) || !direct.ok) return direct
  const made = toJson(direct.value)
  if (sameJson(made, edited)) return { ok: false, message: hidden }
  const twice = await schema.check(toJson(made))
  if (twice.ok && sameJson(twice.value, made)) return refusal(made)
  const value = changeValue(input, shown, edited)
  return value === undefined ? refusal(made) : { ok: true, value: value.changed }
}

const refusal = (made: Json): Checked => ({
  ok: false,
  message: `The tool would not run with this input, but with ${canonicalJson(made).slice(0, 1_000)}. Reply with an input that its schema leaves as it is.`,
})

const hidden = 'JSON cannot show all of what the tool would run with.'

/** Applies the change between two values to a third one. */
function change(target: Json, before: Json, after: Json): Json {
  if (sameJson(before, after)) return toJson(target)
  if (!isObject(target) || !isObject(before) || !isObject(after)) return toJson(after)
  const changed: Record<string, Json> = {}
  for (const [key, value] of Object.entries(target))
    if (Object.hasOwn(after, key) || !Object.hasOwn(before, key)) changed[key] = toJson(value)
  for (const [key, value] of Object.entries(after)) {
    const [was, is] = [own(before, key), own(target, key)]
    changed[key] = was === undefined || is === undefined ? toJson(value) : change(is, was, value as Json)
  }
  return changed
}

const own = (object: Readonly<Record<string, Json | undefined>>, key: string): Json | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined

/**
 * Applies a change of plain values to a value that may contain others, such as dates. Undefined if types or members
 * change.
 */
function changeValue(value: unknown, before: Json, after: Json): { readonly changed: unknown } | undefined {
  if (sameJson(before, after)) return { changed: value }
  if (!sameJson(value, before)) return undefined
  if (typeof value !== 'object' || value === null)
    return typeof value === typeof after && after !== null ? { changed: after } : undefined
  if (Array.isArray(value) || !isPlain(value)) return undefined
  if (!isObject(before) || !isObject(after) || !sameMembers(before, after)) return undefined
  const changed: Record<string, unknown> = { ...value }
  for (const key of Object.keys(after)) {
    const member = changeValue((value as Record<string, unknown>)[key], before[key] as Json, after[key] as Json)
    if (!member) return undefined
    changed[key] = member.changed
  }
  return { changed }
}

const sameMembers = (a: object, b: object): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((key) => Object.hasOwn(b, key))

/** Returns an input for display. Throws if JSON cannot show all of it: users cannot approve what they do not see. */
export function shownInput(tool: string, input: unknown): Json {
  // toJson() limits the size, so isShown() ends too.
  const json = toJson(input)
  if (isShown(input, 0)) return json
  throw new AgentError(
    'tool_input_invalid',
    DEV &&
      `The input of "${tool}" cannot be approved: JSON cannot show all of it, such as a Map or NaN. Let its inputSchema return plain data, dates or URLs.`,
  )
}

function isShown(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value === 'function' || typeof value === 'symbol') return false
  if (typeof value !== 'object' || value === null) return true
  if (depth > maxDepth) return false
  if (Array.isArray(value)) return value.every((item) => item !== undefined && isShown(item, depth + 1))
  if (value instanceof Date) return Number.isFinite(value.getTime())
  if (value instanceof URL || value instanceof Uint8Array) return true
  if (!isPlain(value) || 'toJSON' in value) return false
  return Object.values(value).every((member) => isShown(member, depth + 1))
}

const maxDepth = 64
