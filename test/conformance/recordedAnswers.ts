import { type RecordedResult, type RecordedRun, resultsOf } from './trajectory.ts'

/** Finds the recorded result of a call by the engine's key for its place: `3/tool/0`. */
export type Answers = (key: string) => RecordedResult

export function answersOf(runs: readonly RecordedRun[]): Answers {
  const results = runs.flatMap(({ messages }) => resultsOf(messages))
  return (key) => {
    const [iteration, , index] = key.split('/')
    const result = results[Number(iteration) - 1]?.[Number(index)]
    if (!result) throw new Error(`Nothing was recorded for the call ${key}.`)
    return result
  }
}

/** The key of a call is the run's id, then the place. */
export const placeOf = (idempotencyKey: string): string => idempotencyKey.split('/').slice(1).join('/')
