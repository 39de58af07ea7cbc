/** Returns true for an object that is no list. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the value of stored JSON; undefined for a text that is none. */
export function parseStored(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return undefined
  }
}
