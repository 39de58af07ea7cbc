import { type Event, type Host, isAgentError } from '@interleave/core'
import { asShown, asTold } from './answers.ts'
import { lengthOf, type StartCommand, type Starting } from './asked.ts'
import type { Followers } from './createFollowers.ts'
import type { Ingress } from './ingress.ts'
import { isBegunBy, taken } from './openRun.ts'
import type { ServiceNames } from './sdk.ts'

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

export interface StartRunOptions {
  readonly command: StartCommand
  readonly ingress: Ingress
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId' | 'timer'>
  readonly followers: Followers
}

/**
 * Most runs settle within this time, and reusing a connection is cheaper than cutting it. Other runs continue without
 * it.
 */
const cutMs = 5_000

/**
 * Starts a run, and resolves with the length of its log. The response may come only when the run settles, so it counts
 * as started once its log is visible.
 */
export async function startRun(
  run: string,
  { command, ingress, names, host, followers }: StartRunOptions,
): Promise<number> {
  const seen = new Promise<number>((resolve, reject) => {
    const isRight = (beginning: readonly Event[]): boolean => {
      if (beginning.length === 0) return true
      const isOurs = isBegunBy(command, beginning)
      if (isOurs) resolve(beginning.length)
      else reject(taken(run))
      return isOurs
    }
    followers.follow(run, { isRight, isNew: true })
  })
  const cut = new AbortController()
  const starting: Starting = { id: host.newId(), command }
  let isAnswered = false
  const answered = untilDone(ingress)({
    ...{ service: names.log, key: run, handler: 'start', input: starting, answer: asTold },
    signal: AbortSignal.any([followers.signalOf(run), cut.signal]),
  }).then((told) => {
    isAnswered = true
    const length = lengthOf(told)
    // Of no length: its agent is not here yet.
    return length > 0 ? length : seen
  })
  try {
    const length = await Promise.race([seen, answered])
    if (!isAnswered) host.timer(cutMs, () => isAnswered || cut.abort())
    return length
  } catch (error) {
    followers.leave(run)
    throw error
  }
}
