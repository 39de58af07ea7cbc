export interface LaterOptions {
  /** How often it found no room, one time after the other. */
  readonly tries: number
  /** Between 0 and 1. */
  readonly random: number
}

const ms = { agent: 2_000, room: 500, mostRoom: 60_000 }

/**
 * Milliseconds before a run is looked at again that cannot go on now. Where there is no room they are more each time, and others for each
 * run: as long as all come back together, nobody has any.
 */
export function laterMs(end: 'later' | 'crowded', { tries, random }: LaterOptions): number {
  if (end === 'later') return ms.agent
  return Math.round(Math.min(ms.room * 2 ** tries, ms.mostRoom) * (0.5 + random))
}

/** How often a run that comes back found no room, of what came with it. */
export const triesOf = (input: unknown): number => (Number.isSafeInteger(input) ? Number(input) : 0)
