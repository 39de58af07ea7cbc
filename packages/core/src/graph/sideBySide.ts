import { isJournalError } from '../journalError.ts'
import { Recovery } from '../recovery.ts'
import type { Activity, Clock, RunContext } from '../run.ts'

export interface SideBySide<T> {
  readonly count: number
  /** The maximum that runs concurrently. One that waits for a user makes room for the next. */
  readonly parallel: number
  work(index: number, activity: Activity): Promise<T>
}

/** Runs several tasks concurrently, each of which may wait for users on its own. Settles when all have ended. */
export function sideBySide<T>(
  run: RunContext,
  { count, parallel, work }: SideBySide<T>,
): Promise<readonly PromiseSettledResult<T>[]> {
  const ends: Promise<T>[] = []
  const recovery = new Recovery(run)
  let next = 0
  let busy = 0
  return new Promise((resolve) => {
    const fill = (): void => {
      while (busy < parallel && next < count) begin(next++)
      if (next === count) resolve(Promise.allSettled(ends))
    }
    /** A branch that waits makes room for the next one. */
    const place: Clock = {
      start() {
        busy++
      },
      stop() {
        busy--
        fill()
      },
    }
    const begin = (index: number): void => {
      busy++
      let activity: Activity | undefined
      const attempt = async (): Promise<T> => {
        activity = run.activity()
        activity.clock = place
        try {
          return await work(index, activity)
        } catch (error) {
          if (isJournalError(error)) activity?.end()
          throw error
        }
      }
      ends[index] = recovery.through(attempt).finally(() => {
        busy--
        // The next begins before this one ends: else those that wait might seem to be all there is.
        fill()
        activity?.end()
      })
    }
    fill()
  })
}
