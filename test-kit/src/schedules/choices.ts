import { createRandom } from '../chaos/createRandom.ts'

/** A decision that was made: which of how many. */
export interface Choice {
  readonly chosen: number
  readonly options: number
}

/** Decides what happens next. A schedule is the list of its decisions. */
export interface Choices {
  /** Returns a number below `options`. The first `usual` of them are taken with the probability `likely` where chance decides. */
  next(options: number, usual?: number, likely?: number): number
  readonly taken: readonly Choice[]
}

/** Takes the decisions of a schedule, and the first option once the schedule is over. */
export function replaySchedule(schedule: readonly number[]): Choices {
  const taken: Choice[] = []
  return {
    taken,
    next(options) {
      const chosen = Math.min(schedule[taken.length] ?? 0, options - 1)
      taken.push({ chosen, options })
      return chosen
    },
  }
}

/** Takes the decisions that a seed leads to. */
export function randomSchedule(seed: number): Choices {
  const random = createRandom(seed)
  const taken: Choice[] = []
  return {
    taken,
    next(options, usual = options, likely = 1) {
      const isUsual = usual > 0 && (usual === options || random() < likely)
      const [from, count] = isUsual ? [0, usual] : [usual, options - usual]
      const chosen = from + Math.floor(random() * count)
      taken.push({ chosen, options })
      return chosen
    },
  }
}

/** The decisions as a list that `replaySchedule` takes, without the first options at its end. */
export function scheduleOf(taken: readonly Choice[]): readonly number[] {
  const last = taken.findLastIndex(({ chosen }) => chosen > 0)
  return taken.slice(0, last + 1).map(({ chosen }) => chosen)
}
