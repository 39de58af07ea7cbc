import type { Json } from '@interleave/core'
import { isObject } from '@interleave/core/internal'
import type { TextAction } from '../textEvent.ts'
import { readJson } from './mendJson.ts'
import { plainName } from './names.ts'

/** A step in a JSON object. */
export interface JsonStep {
  readonly thought?: string
  readonly call?: TextAction
  readonly answer?: string
}

/** Returns whether a name is the name of a tool. Undefined if the tools are not known. */
type IsTool = (name: string) => boolean | undefined

/**
 * Reads the step in a JSON value, under any of the names that prompts teach: `action` and `action_input`, `tool` and
 * `args`, `name` and `arguments`, a `command` or `tool_call` that holds them. Of several calls, the first. Data may
 * have fields of these names too, so a call has only a name and an input, unless its names or its tool are clear.
 */
export function readJsonStep(value: Json | undefined, isTool: IsTool = () => undefined): JsonStep {
  const first = firstOf(value)
  if (!isObject(first)) return {}
  const fields = fieldsOf(first)
  const thought = toThought(pick(fields, thoughtKeys))
  const call = readOwnCall(fields, isTool) ?? readHeldCall(fields)
  const answer = call ? undefined : pick(fields, answerKeys)
  return {
    ...(thought !== undefined && { thought }),
    ...(call && { call }),
    ...(answer !== undefined && { answer: typeof answer === 'string' ? answer : JSON.stringify(answer) }),
  }
}

/** Returns the values of a list of calls, with or without an object around it. */
export function listedCalls(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value
  const held = isObject(value) ? pick(fieldsOf(value), ['toolcalls']) : undefined
  return Array.isArray(held) ? held : [value]
}

/** Reads a call from a value that something else marks as one, such as a tag or `Action:`. Its input may be missing. */
export function readMarkedCall(value: Json | undefined): TextAction | undefined {
  if (!isObject(value)) return undefined
  const fields = fieldsOf(value)
  const tool = nameIn(fields, [...nameKeys, ...plainNameKeys])
  return tool === undefined ? readHeldCall(fields) : { tool, input: inputOf(fields) ?? null }
}

/** Reads the step in a value that is marked as one. */
export function readMarkedStep(value: Json): JsonStep {
  const first = firstOf(value)
  const call = readMarkedCall(first)
  return { ...readJsonStep(first), ...(call && { call }) }
}

type Fields = ReadonlyMap<string, Json>

const firstOf = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? value[0] : value)

const thoughtKeys = ['thought', 'thoughts', 'discussion', 'reasoning']
const answerKeys = ['finalanswer']
const nameKeys = ['action', 'tool', 'toolname', 'command']
/** Names of a tool where something else shows that the object is a call. */
const plainNameKeys = ['function', 'name']
const inputKeys = ['actioninput', 'toolinput', 'input', 'args', 'arguments', 'parameters', 'params', 'kwargs']
/** Fields that hold a whole call, or several. */
const holderKeys = ['toolcall', 'toolcalls', 'toolcalling', 'functioncall', 'function', 'command', 'action', 'tool']
/** Fields next to the name and the input of a call. */
const otherKeys = ['id', 'type', 'index', 'toolcallid', 'callid']

const fieldsOf = (value: Readonly<Record<string, Json | undefined>>): Fields =>
  new Map(Object.entries(value).map(([key, field]) => [plainName(key), field ?? null]))

function readOwnCall(fields: Fields, isTool: IsTool): TextAction | undefined {
  const input = inputOf(fields)
  const tool = nameIn(fields, input === undefined ? nameKeys : [...nameKeys, ...plainNameKeys])
  if (tool === undefined) return undefined
  const isKnown = isTool(tool)
  const known = [...nameKeys, ...plainNameKeys, ...inputKeys, ...thoughtKeys, ...otherKeys]
  const isAlone = [...fields.keys()].every((key) => known.includes(key))
  const isPair = fields.has('actioninput') || fields.has('toolinput') || (isAlone && fields.has('arguments'))
  const isCall = input === undefined ? isKnown && isAlone : (isKnown ?? isAlone) || isPair
  return isCall ? { tool, input: input ?? null } : undefined
}

/** Reads `{"command": {"name": "search", "args": {}}}`. */
function readHeldCall(fields: Fields): TextAction | undefined {
  for (const key of holderKeys) {
    const held = firstOf(fields.get(key))
    if (!isObject(held)) continue
    const inner = fieldsOf(held)
    const nested = inner.get('function')
    const own = isObject(nested) ? fieldsOf(nested) : inner
    const tool = nameIn(own, [...nameKeys, ...plainNameKeys])
    const input = inputOf(own)
    const mayLackInput = !['function', 'action', 'tool'].includes(key)
    if (tool !== undefined && (input !== undefined || mayLackInput)) return { tool, input: input ?? null }
  }
  return undefined
}

const nameIn = (fields: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => fields.get(key)).find((name): name is string => typeof name === 'string' && name.trim() !== '')

/** Returns the input of a call. Some interfaces give `arguments` as JSON within a string. */
function inputOf(fields: Fields): Json | undefined {
  const text = fields.get('arguments')
  const decoded = typeof text === 'string' ? readJson(text)?.value : undefined
  return decoded ?? pick(fields, inputKeys)
}

function toThought(thought: Json | undefined): string | undefined {
  if (typeof thought === 'string') return thought
  const text = typeof thought === 'object' && thought && 'text' in thought ? thought.text : undefined
  return typeof text === 'string' ? text : undefined
}

const pick = (fields: Fields, keys: readonly string[]): Json | undefined =>
  keys.map((key) => fields.get(key)).find((field) => field !== undefined)
