/** Returns the value of stored JSON; undefined for a text that is none. */
export function parseStored(json: string | null): unknown {
  try {
    return JSON.parse(json ?? 'null')
  } catch {
    return undefined
  }
}
