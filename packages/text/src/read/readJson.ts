import type { Json } from '@interleave/core'
import { parseJson } from '@interleave/core/internal'
import { mendJson } from './mendJson.ts'

export interface JsonReading {
  readonly value: Json
  /** It was no strict JSON. */
  readonly isMended: boolean
}

/** JSON as models write it: strictly where that succeeds, mended where only one thing can have been meant. */
export function readJson(text: string): JsonReading | undefined {
  const strict = parsed(text)
  if (strict !== undefined) return { value: strict, isMended: false }
  const mended = text.length > longest ? undefined : mendJson(text)
  const value = mended === undefined ? undefined : parsed(mended)
  return value === undefined ? undefined : { value, isMended: true }
}
const longest = 65_536

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Returns whether a number is the one that was written: so many digits may be more than a number holds. */
export const isExact = (value: Json, written: string): boolean =>
  typeof value !== 'number' || written.length <= surelyExact || String(value) === written
const surelyExact = 15
