import type { AnyEvent, Delta, Progressed } from './event.ts'

/** Merges two consecutive live events into one; undefined if they cannot be merged. */
export function joinLive(before: AnyEvent, event: AnyEvent): Delta | Progressed | undefined {
  if (before.type === 'progressed' && event.type === 'progressed') return before.call === event.call ? event : undefined
  if (before.type !== 'delta' || event.type !== 'delta') return undefined
  if (before.kind !== event.kind || before.id !== event.id || before.tool !== event.tool) return undefined
  return { ...before, delta: before.delta + event.delta }
}
