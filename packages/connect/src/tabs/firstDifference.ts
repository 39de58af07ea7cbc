import type { Event } from '@interleave/core'
import { canonicalJson, toJson } from '@interleave/core/internal'

/** Returns the number of events that two logs have in common. */
export function firstDifference(a: readonly Event[], b: readonly Event[]): number {
  const shorter = Math.min(a.length, b.length)
  for (let index = 0; index < shorter; index++) {
    if (textOf(a[index]) !== textOf(b[index])) return index
  }
  return shorter
}

const textOf = (event: Event | undefined): string => canonicalJson(toJson(event))
