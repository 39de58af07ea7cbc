import type { Json } from './json.ts'

/** JSON as text that is the same for the same data, whatever the order of its keys. */
export function canonicalJson(value: Json | undefined): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join()}}`
}
