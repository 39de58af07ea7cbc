import { AgentError } from '../error.ts'
import type { EventBody, LiveEvent } from '../event.ts'
import { isJournalFault } from '../journal.ts'
import type { Activity, Clock, RunContext } from '../run.ts'

interface SideBySide<T> {
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
  const recovery = run.engine?.recovery(run)
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
          if (isJournalFault(error)) activity?.end()
          throw error
        }
      }
      ends[index] = (recovery ? recovery.through(attempt) : attempt()).finally(() => {
        busy--
        // The next begins before this one ends: else those that wait might seem to be all there is.
        fill()
        activity?.end()
      })
    }
    fill()
  })
}

interface BranchOptions {
  readonly activity: Activity
  readonly name: string
  readonly silent: boolean
}

/** Returns a run as a branch of a fork sees it: the branch waits for its own questions. */
export function inBranch(run: RunContext, { activity, name, silent }: BranchOptions): RunContext {
  const own = run.with<Pick<RunContext, 'ask' | 'once' | 'activity'>>({
    ask: (key, question) => activity.ask(key, question),
    once: (key, fn) => activity.once(key, fn),
    activity: (call) => activity.activity(call),
  })
  return silent ? silenced(own, name) : own
}

const talk: ReadonlySet<(EventBody | LiveEvent)['type']> = new Set([
  'thinking',
  'said',
  'thought',
  'called',
  'observed',
  'amended',
  'compacted',
])

/** Returns a run that cannot talk to the model, since another branch may, and turns of two branches would mix. */
function silenced(run: RunContext, branch: string): RunContext {
  const check = ({ type }: { type: (EventBody | LiveEvent)['type'] }): void => {
    if (talk.has(type)) throw talksInBranch(branch)
  }
  return run.with({
    emit(event: EventBody): void {
      check(event)
      run.emit(event)
    },
    live(event: LiveEvent): void {
      check(event)
      run.live(event)
    },
  })
}

const talksInBranch = (branch: string): AgentError =>
  new AgentError(
    'graph_invalid',
    `The ${branch} talks to the model, and nothing says that it does. Only one branch of a fork may: wrap its node in untilAnswer().`,
  )
