import { createSlices } from './createSlices.ts'
import type { LiveHub } from './liveHub.ts'
import { recordedJournal } from './recordedJournal.ts'
import type { Attempt, Living } from './recordedWork.ts'
import { type WorkOnOptions, workOn } from './workOn.ts'

export interface BeginLivingOptions extends Omit<WorkOnOptions, 'abortSignal' | 'start'> {
  /** Milliseconds after which those who look are to see what was recorded. */
  readonly showMs: number
  /** Hears what is recorded. */
  readonly tell?: LiveHub['tell']
}

/** Starts a run, and returns its writes slice by slice. */
export function beginLiving(
  { runId, head, recorded, start, abortSignal }: Attempt,
  options: BeginLivingOptions,
): Living {
  const { host, showMs, tell, journal: others } = options
  const slices = createSlices({ host, showMs, ...(tell && { onRecorded: (kept) => tell(runId, { kept }) }) })
  const journal = recordedJournal({ runId, head, recorded, slices, others })
  const isFirst = recorded.length === 0
  const working = workOn(runId, { ...options, journal, abortSignal, ...(start && { start: { ...start, isFirst } }) })
  working.ended.then(slices.end, slices.fail)
  const { hear, close, isIdle } = working
  return { next: () => slices.next({ mayEnd: isIdle }), recorded: slices.recorded, hear, close }
}
