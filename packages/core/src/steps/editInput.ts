import { canonicalJson } from '../canonicalJson.ts'
import { isObject, isPlain, type Json, toJson } from '../json.ts'
import type { Checked, CompiledSchema } from '../schema.ts'

/** An input that a user changed before it is run. */
export interface Edit {
  readonly schema: CompiledSchema
  /** As the model gave it. */
  readonly given: Json
  /** The edited input as the schema parses it: what would run. */
  readonly input: unknown
  /** `input` as JSON, which the user was shown. */
  readonly shown: Json
  /** The input that the user wants to run. */
  readonly edited: Json
}

/**
 * Gives the input that is `edited` as JSON, byte for byte, or says why there is none. A schema may transform what it is given, and
 * `shown` is transformed already: so the change is made to what the model gave, then to what was shown, and counts only if
 * the schema makes of it what the user wrote. Members that a transform computes are changed in what was shown, if the schema takes
 * them and only values change, not their types.
 */
export async function applyEdit({ schema, given, input, shown, edited }: Edit): Promise<Checked> {
  const wanted = canonicalJson(edited)
  const isWanted = (checked: Checked): boolean => checked.ok && canonicalJson(toJson(checked.value)) === wanted
  if (wanted === canonicalJson(shown)) return { ok: true, value: input }
  const again = await schema.check(change(given, shown, edited))
  if (isWanted(again)) return again
  const direct = await schema.check(toJson(edited))
  if (isWanted(direct) || !direct.ok) return direct
  const made = toJson(direct.value)
  const twice = await schema.check(toJson(made))
  if (twice.ok && canonicalJson(toJson(twice.value)) === canonicalJson(made)) return refusal(made)
  const value = changeValue(input, shown, edited)
  return value === undefined ? refusal(made) : { ok: true, value: value.changed }
}

const refusal = (made: Json): Checked => ({
  ok: false,
  message: `The tool would not run with this input, but with ${canonicalJson(made).slice(0, 1_000)}. Reply with an input that its schema leaves as it is.`,
})

/** Makes the change between two values to a third one. */
function change(target: Json, before: Json, after: Json): Json {
  if (canonicalJson(before) === canonicalJson(after)) return toJson(target)
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

/** Makes a change of plain values to a value that may hold others, such as dates. Undefined if types or members change. */
function changeValue(value: unknown, before: Json, after: Json): { readonly changed: unknown } | undefined {
  if (canonicalJson(before) === canonicalJson(after)) return { changed: value }
  if (canonicalJson(toJson(value)) !== canonicalJson(before)) return undefined
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
