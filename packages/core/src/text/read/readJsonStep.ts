import type { Json } from '../../json.ts'
import { readJson } from './readJson.ts'

/** What a JSON object of a model says. */
export interface JsonStep {
  readonly thought?: string
  readonly call?: { readonly tool: string; readonly input: Json }
  readonly answer?: string
}

/**
 * The step in a JSON value, under any of the names that prompts teach: `action` and `action_input`, `tool` and `args`,
 * `name` and `arguments`, a `command` or `tool_call` that holds them. Of several calls, the first.
 */
export function readJsonStep(value: Json, depth = 0): JsonStep {
  if (typeof value !== 'object' || value === null || depth > 4) return {}
  if (Array.isArray(value)) return readJsonStep(value[0] ?? null, depth)
  const fields = new Map(Object.entries(value).map(([key, field]) => [plainKey(key), field ?? null]))
  const thought = toThought(pick(fields, thoughtKeys))
  const call = readCall(fields, depth)
  const answer = call ? undefined : pick(fields, answerKeys)
  return {
    ...(thought !== undefined && { thought }),
    ...(call && { call }),
    ...(answer !== undefined && { answer: typeof answer === 'string' ? answer : JSON.stringify(answer) }),
  }
}

type Fields = ReadonlyMap<string, Json>

const thoughtKeys = ['thought', 'thoughts', 'discussion', 'reasoning']
const answerKeys = ['finalanswer']
const nameKeys = ['action', 'tool', 'toolname', 'command']
const inputKeys = ['actioninput', 'toolinput', 'input', 'args', 'arguments', 'parameters', 'params', 'kwargs']
/** Keys of objects that hold the call. */
const holderKeys = [...nameKeys, 'toolcall', 'toolcalls', 'toolcalling', 'function', 'functioncall']

function readCall(fields: Fields, depth: number): JsonStep['call'] {
  const input = pick(fields, inputKeys)
  const own = input === undefined ? undefined : nameIn(fields, nameKeys)
  if (own !== undefined) return { tool: own, input: decoded(fields) ?? input ?? null }
  for (const key of holderKeys) {
    const held = fields.get(key)
    const call = typeof held === 'object' && held !== null ? readJsonStep(held, depth + 1).call : undefined
    if (call) return call
  }
  // `name` is a field of many things: alone, it makes a call only where one is held.
  const names = input === undefined && depth === 0 ? nameKeys : [...nameKeys, 'function', 'name']
  const tool = nameIn(fields, names)
  return tool === undefined ? undefined : { tool, input: decoded(fields) ?? input ?? null }
}

const nameIn = (fields: Fields, keys: readonly string[]): string | undefined =>
  keys.map((key) => fields.get(key)).find((name): name is string => typeof name === 'string' && name.trim() !== '')

/** Under this name some interfaces give JSON within a string. */
function decoded(fields: Fields): Json | undefined {
  const text = fields.get('arguments')
  return typeof text === 'string' ? readJson(text)?.value : undefined
}

function toThought(thought: Json | undefined): string | undefined {
  if (typeof thought === 'string') return thought
  const text = typeof thought === 'object' && thought && 'text' in thought ? thought.text : undefined
  return typeof text === 'string' ? text : undefined
}

const pick = (fields: Fields, keys: readonly string[]): Json | undefined =>
  keys.map((key) => fields.get(key)).find((field) => field !== undefined)

const plainKey = (key: string): string => key.toLowerCase().replaceAll(/[\s_-]/g, '')
