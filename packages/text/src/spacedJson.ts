import type { Json } from '@interleave/core'

/** JSON with a space after each comma and colon, as models write it. */
export function spacedJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(spacedJson).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member as Json)}`)
  return `{${members.join(', ')}}`
}
