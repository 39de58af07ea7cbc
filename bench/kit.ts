import type { Counts } from './counts.ts'
import { instantModel } from './instantModel.ts'
import { type Pace, sleep } from './pace.ts'
import { type Place, placeSchema } from './work.ts'

/** The kit of every subject: the same model, the same tool, and the counts by which its runs are checked. */
export interface Kit {
  readonly model: ReturnType<typeof instantModel>
  readonly schema: typeof placeSchema
  execute(place: Place): Promise<Place>
  readonly pace: Pace
  readonly counts: Counts
}

/** Something that runs agents: ours, another library, or the least that does the same. */
export interface Subject {
  readonly name: string
  /** Runs of more iterations than this take it too long to be measured. */
  readonly maxIterations?: number
  /** Makes an agent; the function it returns runs it once and reads its whole stream of events. */
  create(kit: Kit): (input: RunInput) => Promise<Finished>
}
export interface RunInput {
  readonly prompt: string
  readonly textAnswer?: (text: string) => void
}
export interface Finished {
  readonly text: string
  /** The part of the run that an app would keep. */
  readonly result: unknown
}

export function createKit(): Kit {
  const pace: Pace = { modelMs: 0, toolMs: 0, firstDeltaMs: 0 }
  const counts: Counts = { turns: 0, calls: 0, firstDeltaAt: 0 }
  return {
    model: instantModel(pace, counts),
    schema: placeSchema,
    pace,
    counts,
    async execute(place) {
      counts.calls++
      if (pace.toolMs > 0) await sleep(pace.toolMs)
      return { ...place }
    },
  }
}
