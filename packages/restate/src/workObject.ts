import { isAgentError } from '@interleave/core'
import type { ObjectContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { objectOptions, type RestateSdk, type ServiceNames } from './sdk.ts'

/** Encodes a value as an SDK would send it; undefined becomes an empty body. */
export const toBytes = (value?: unknown): Uint8Array =>
  value === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(value))

/** Pauses an invocation at once for errors that retries cannot fix, such as an unreadable log. */
export async function pausing<T>({ PauseError }: Pick<RestateSdk, 'PauseError'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // An SDK without this error would retry again and again.
    if (PauseError === undefined || !isAgentError(error) || error.code !== 'log_invalid') throw error
    throw new PauseError(error.message, { cause: error })
  }
}

interface LaterOptions {
  /** The number of consecutive attempts without capacity. */
  readonly tries: number
  /** A number between 0 and 1. */
  readonly random: number
}

const ms = { agent: 2_000, room: 500, mostRoom: 60_000 }

/** Returns the delay before a run is tried again. Without capacity it grows and is random. */
export function delayMs(end: 'later' | 'crowded', { tries, random }: LaterOptions): number {
  if (end === 'later') return ms.agent
  return Math.round(Math.min(ms.room * 2 ** tries, ms.mostRoom) * (0.5 + random))
}

/** Returns the number of attempts without capacity from the invocation's input. */
export const triesOf = (input: unknown): number => (Number.isSafeInteger(input) ? Number(input) : 0)

/** The end of an invocation: settled, or continued at once, when the agent is deployed, or when there is capacity. */
export type WorkEnd = 'rests' | 'more' | 'later' | 'crowded'

export interface WorkOptions {
  readonly names: ServiceNames
  /** Executes a segment of a run. Rejects if another attempt must follow. */
  readonly work: (runId: string, abortSignal: AbortSignal) => Promise<WorkEnd>
  /** The maximum milliseconds of an invocation. */
  readonly longestMs: number
}

export type WorkHandlers = {
  work(ctx: ObjectContext, tries?: number): Promise<void>
}
export type WorkObject = VirtualObjectDefinition<string, WorkHandlers>

/** Executes the run in one invocation after another. Each continues from the run's own log, and replays nothing. */
export function workObject(sdk: RestateSdk, { names, work, longestMs }: WorkOptions): WorkObject {
  const next = { service: names.work, method: 'work' }
  return sdk.object({
    name: names.work,
    handlers: {
      work: async (ctx: ObjectContext, input?: number): Promise<void> => {
        const { key } = ctx
        const tries = triesOf(input)
        const abortSignal = ctx.request().attemptCompletedSignal
        const worked = await ctx.run('work', () => pausing(sdk, () => work(key, abortSignal)))
        if (worked === 'more') ctx.objectSendClient<WorkHandlers>({ name: names.work }, key).work()
        // A new invocation, since another attempt goes to the same deployment, and not to a newer one.
        if (worked !== 'later' && worked !== 'crowded') return
        const delay = delayMs(worked, { tries, random: ctx.rand.random() })
        ctx.genericSend({ ...next, key, parameter: toBytes(worked === 'crowded' ? tries + 1 : undefined), delay })
      },
    },
    // Restate receives nothing meanwhile, and must not count that as a process that hangs.
    options: { ...objectOptions, inactivityTimeout: longestMs, abortTimeout: longestMs },
  })
}
