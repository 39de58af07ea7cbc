import type { Placed } from './isDue.ts'
import { joinLive } from './joinLive.ts'

/**
 * Queues a live event until its position is reached. Merges it with the previous delta of the same text at the same
 * position.
 */
export function addPlaced(waiting: Placed[], placed: Placed): void {
  const { after, event } = placed
  const last = waiting.at(-1)
  const joined = last?.after === after ? joinLive(last.event, event) : undefined
  if (joined) waiting[waiting.length - 1] = { after, event: joined }
  else waiting.push(placed)
}
