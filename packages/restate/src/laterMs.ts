export interface LaterOptions {
  /** The number of consecutive attempts without capacity. */
  readonly tries: number
  /** Between 0 and 1. */
  readonly random: number
}

const ms = { agent: 2_000, room: 500, mostRoom: 60_000 }

/**
 * Returns the delay before a run that cannot continue is tried again. Without capacity it grows and is random, so that
 * runs do not all come back together.
 */
export function laterMs(end: 'later' | 'crowded', { tries, random }: LaterOptions): number {
  if (end === 'later') return ms.agent
  return Math.round(Math.min(ms.room * 2 ** tries, ms.mostRoom) * (0.5 + random))
}

/** Returns the number of attempts without capacity from the invocation's input. */
export const triesOf = (input: unknown): number => (Number.isSafeInteger(input) ? Number(input) : 0)
