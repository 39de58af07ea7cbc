import type { Host } from '@interleave/core'

/**
 * Returns the milliseconds until the next attempt: longer each time, and different for clients that were disconnected
 * together.
 */
export const retryDelay = (attempt: number, host: Pick<Host, 'newId'>): number =>
  Math.min(longest, 250 * 2 ** attempt) * (0.5 + chance(host.newId()) / 2)

const longest = 10_000

/** Returns a number from 0 to 1, from a random id. */
function chance(id: string): number {
  let hash = 0
  for (let i = 0; i < id.length; i++) hash = (Math.imul(hash, 31) + id.charCodeAt(i)) >>> 0
  return hash / 2 ** 32
}
