import type { AnyEvent, Delta, Progressed } from './event.ts'

/** One live event that tells what these two do, one after the other; undefined where there is none. */
export function joinLive(before: AnyEvent, event: AnyEvent): Delta | Progressed | undefined {
  if (before.type === 'progressed' && event.type === 'progressed') return before.call === event.call ? event : undefined
  if (before.type !== 'delta' || event.type !== 'delta') return undefined
  if (before.kind !== event.kind || before.id !== event.id || before.tool !== event.tool) return undefined
  return { ...before, delta: before.delta + event.delta }
}
