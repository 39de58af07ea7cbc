import { isAgentError } from '@interleave/core'
import type { ObjectContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { objectOptions, type RestateSdk, type ServiceNames } from './sdk.ts'

/** As an SDK would send it; nothing where there is nothing. */
export const toBytes = (value?: unknown): Uint8Array =>
  value === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(value))

/**
 * Has an invocation paused at once by what no further attempt would change: a log that cannot be read as what it is. What was asked of
 * the run is kept, and whoever has mended it, or deployed a version that can read it, resumes it.
 */
export async function pausing<T>({ PauseError }: Pick<RestateSdk, 'PauseError'>, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    // An SDK that has no word for it has it tried again and again.
    if (PauseError === undefined || !isAgentError(error) || error.code !== 'log_invalid') throw error
    throw new PauseError(error.message, { cause: error })
  }
}

interface LaterOptions {
  /** How often it found no room, one time after the other. */
  readonly tries: number
  /** Between 0 and 1. */
  readonly random: number
}

const ms = { agent: 2_000, room: 500, mostRoom: 60_000 }

/**
 * Milliseconds before a run is looked at again that cannot go on now. Where there is no room they are more each time, and others for each
 * run: as long as all come back together, nobody has any.
 */
export function laterMs(end: 'later' | 'crowded', { tries, random }: LaterOptions): number {
  if (end === 'later') return ms.agent
  return Math.round(Math.min(ms.room * 2 ** tries, ms.mostRoom) * (0.5 + random))
}

/** How often a run that comes back found no room, of what came with it. */
export const triesOf = (input: unknown): number => (Number.isSafeInteger(input) ? Number(input) : 0)

/** Whether the next invocation is to go on: at once, later since the agent is not here, or when there is room for what a run asks. */
export type Worked = 'rests' | 'more' | 'later' | 'crowded'

export interface WorkOptions {
  readonly names: ServiceNames
  /** Lets a run work for a while. Rejects where another attempt is to be made. */
  readonly work: (runId: string, abortSignal: AbortSignal) => Promise<Worked>
  /** Milliseconds that an invocation may go on at most. */
  readonly longestMs: number
}

/** What may be asked of it. */
export type WorkHandlers = {
  work(ctx: ObjectContext, tries?: number): Promise<void>
}
export type WorkObject = VirtualObjectDefinition<string, WorkHandlers>

/**
 * One invocation after the other lets the run work. What is done is kept in the run's own log, so a handler has a single entry and
 * replays nothing: whatever the next attempt runs on, and with whatever version of the agent, it goes on from the log.
 */
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
        // A new invocation, since an attempt goes where the one before was, and not to what was deployed since.
        if (worked !== 'later' && worked !== 'crowded') return
        const delay = laterMs(worked, { tries, random: ctx.rand.random() })
        ctx.genericSend({ ...next, key, parameter: toBytes(worked === 'crowded' ? tries + 1 : undefined), delay })
      },
    },
    // Nothing is told to Restate meanwhile, and it is not to take that for a process that hangs.
    options: { ...objectOptions, inactivityTimeout: longestMs, abortTimeout: longestMs },
  })
}
