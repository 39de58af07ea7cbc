import type { Json } from '@interleave/core'

/** Returns true if two values are equal, regardless of the order of their members. */
export function sameJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  if (Array.isArray(one) !== Array.isArray(other)) return false
  const [members, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))]
  return (
    members.size === others.size &&
    [...members].every(([key, value]) => others.has(key) && sameJson(value, others.get(key)))
  )
}
