import { isAgentError } from '@interleave/core'
import { asShown } from './answers.ts'
import type { Ingress } from './ingress.ts'

/** Below what is common for connections on which nothing comes. */
const longMs = 50_000

/**
 * For calls of a log that are answered when something is done, which may rightly take long: a run does what it is asked when it can,
 * and who writes waits for who has the log. They are asked again for as long as whoever looks at the run is answered, so they have to
 * be such that asked twice they are done once.
 */
export const untilDone =
  (ingress: Ingress): Ingress =>
  async (call) => {
    for (;;) {
      try {
        return await ingress({ ms: longMs, ...call })
      } catch (error) {
        if (!isLate(error)) throw error
      }
      await ingress({ ...call, handler: 'look', input: 0, answer: asShown })
    }
  }

/** By our own clock, or by that of a proxy between. */
export const isLate = (error: unknown): boolean => isAgentError(error) && (error.status === 504 || error.status === 524)
