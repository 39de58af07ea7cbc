import { checkOptions, DEV } from '#checks'
import { performCall } from '../calls/performCall.ts'
import { assertOption } from '../options.ts'
import type { RunContext, Step } from '../run.ts'
import { openCalls } from '../state.ts'

export interface ActOptions {
  /** Calls of one turn that run at the same time; 8 by default. */
  parallel?: number
  /** The time limit in milliseconds of a call whose tool has none; 60,000 by default. */
  timeoutMs?: number
}

/** Runs the open calls of the latest turn. A failing tool is an observation for the model, not the end of the run. */
export function act(options: ActOptions = {}): Step {
  checkOptions('act()', options, ['parallel', 'timeoutMs'])
  const { parallel, timeoutMs } = options
  assertOption((parallel ?? 1) >= 1, DEV && `act({ parallel: ${parallel} }): use 1 or more.`)
  assertOption((timeoutMs ?? 1) > 0, DEV && `act({ timeoutMs: ${timeoutMs} }): use a number above 0.`)
  return actStep(options)
}

/** Creates the step of `act()`, from options that are valid. It is not async: that costs each iteration two promises. */
export const actStep =
  ({ parallel = 8, timeoutMs = 60_000 }: ActOptions = {}): Step =>
  (run) => {
    const open = openCalls(run.state)
    if (open.length === 0) return undefined
    const keys: string[] = []
    for (const { name, key } of open) if (!run.agent.tools[name]?.terminal) keys.push(key)
    if (keys.length === 1 && keys[0]) return performCall(run, keys[0], timeoutMs)
    return inParallel(keys, { workers: parallel, run, work: (key) => performCall(run, key, timeoutMs) })
  }

interface Shift {
  readonly workers: number
  readonly run: RunContext
  work(key: string): Promise<undefined>
}

/** Runs the calls in order with a fixed number of workers. None starts after the run is stopped. */
async function inParallel(keys: readonly string[], { workers, run, work }: Shift): Promise<undefined> {
  const recovery = run.engine?.recovery(run)
  let next = 0
  let left = keys.length
  const worker = (): Promise<void> => {
    let key = keys[next++]
    const shift = async (): Promise<void> => {
      for (; key !== undefined && !run.abortSignal.aborted; key = keys[next++]) {
        await work(key)
        // The others may take long, and a crash must not lose this result. The run itself reports a failed write.
        if (--left > 0) run.durable()?.then(undefined, () => {})
      }
    }
    return recovery ? recovery.through(shift) : shift()
  }
  // A fault of the run itself is thrown once no call is running: one that continued would write to a settled run.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(workers, keys.length) }, worker))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return undefined
}
