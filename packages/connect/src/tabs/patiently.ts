import type { Host } from '@interleave/core'
import { mayPass } from '@interleave/core/internal'
import { pause } from '../wait.ts'

/** Milliseconds before each repetition: some 15 seconds in all. A journal that is away for longer is shown. */
const waits: readonly number[] = [250, 500, 1_000, 2_000, 4_000, 8_000]

export interface Retrying {
  readonly host: Pick<Host, 'timer'>
  /** No further attempt is made after it aborts. */
  readonly signal: AbortSignal
}

/** Reads again what a journal could not read for a moment, as writes are tried again: no user waits to try it. */
export async function patiently<T>(read: () => Promise<T>, { host, signal }: Retrying): Promise<T> {
  for (const ms of waits) {
    try {
      return await read()
    } catch (error) {
      if (!mayPass(error) || signal.aborted) throw error
    }
    await pause(host, ms, signal)
  }
  return read()
}
