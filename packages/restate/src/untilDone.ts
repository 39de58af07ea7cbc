import { isAgentError } from '@interleave/core'
import { asShown } from './answers.ts'
import type { Ingress } from './ingress.ts'

/** Below what is common for connections on which nothing comes. */
const longMs = 50_000

/**
 * Repeats calls of a log that may rightly take long, because a run carries out commands when it can, and writers wait
 * for the log's owner. Repeats as long as reads of the run succeed, so the calls must be idempotent.
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
