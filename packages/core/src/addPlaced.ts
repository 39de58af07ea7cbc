import type { Placed } from './isDue.ts'
import { joinLive } from './joinLive.ts'

/** Adds a live event to those that wait for their place. Pieces of one text that have the same place are one. */
export function addPlaced(waiting: Placed[], placed: Placed): void {
  const { after, event } = placed
  const last = waiting.at(-1)
  const joined = last?.after === after ? joinLive(last.event, event) : undefined
  if (joined) waiting[waiting.length - 1] = { after, event: joined }
  else waiting.push(placed)
}
