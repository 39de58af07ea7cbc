import { demand } from '../demand.ts'
import { sleep } from '../host.ts'
import type { Step } from '../run.ts'
import { visitOf } from './visit.ts'

/** A node that waits until so many milliseconds after its visit began. After a reload it waits for what is left of them. */
export function wait(ms: number): Step {
  demand(Number.isFinite(ms) && ms >= 0, `wait(${ms}): give milliseconds, 0 or more.`)
  return async (run) => {
    const { host, abortSignal } = run
    const end = (visitOf(run)?.at ?? host.now()) + ms
    const left = (): number => end - host.now()
    // The longest timer of a place may be shorter than this.
    while (left() > 0 && !abortSignal.aborted) await sleep(host, left(), abortSignal)
    return undefined
  }
}
