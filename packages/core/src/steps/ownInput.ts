import { AgentError } from '../error.ts'
import { isPlain, type Json, toJson } from '../json.ts'

/**
 * Copies an input for code that may change it. A parsed input may contain class instances, which cannot be copied and
 * are passed on.
 */
export function copyInput(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return value
  if (Array.isArray(value)) return value.map((item) => copyInput(item, depth + 1))
  if (value instanceof Date) return new Date(value)
  if (value instanceof Uint8Array) return value.slice()
  if (!isPlain(value)) return value
  const copy = Object.create(Object.getPrototypeOf(value)) as Record<string, unknown>
  for (const key of Object.keys(value)) copy[key] = copyInput((value as Record<string, unknown>)[key], depth + 1)
  return copy
}

/**
 * Returns an input for display. Throws if the display would be incomplete: users cannot approve what they do not see.
 */
export function shownInput(tool: string, input: unknown): Json {
  if (isShown(input, 0)) return toJson(input)
  const advice = 'Have its inputSchema return plain data, dates or URLs, and make the rest of them in execute().'
  throw new AgentError(
    'tool_input_invalid',
    `The input of "${tool}" holds what JSON cannot show, such as a Map, NaN or an instance of a class, so it cannot be approved. ${advice}`,
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
