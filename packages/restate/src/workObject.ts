import type { ObjectContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { objectOptions } from './objectOptions.ts'
import { pausing } from './pausing.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'

/** Whether the next invocation is to go on, at once, or later since the agent is not here. */
export type Worked = 'rests' | 'more' | 'later'

export interface WorkOptions {
  readonly names: ServiceNames
  /** Lets a run work for a while. Rejects where another attempt is to be made. */
  readonly work: (runId: string, abortSignal: AbortSignal) => Promise<Worked>
  /** Milliseconds that an invocation may go on at most. */
  readonly longestMs: number
}

/** What may be asked of it. */
export type WorkHandlers = {
  work(ctx: ObjectContext): Promise<void>
}
export type WorkObject = VirtualObjectDefinition<string, WorkHandlers>

/** Milliseconds before somebody looks again whether the agent is here. */
export const laterMs = 2_000

/**
 * One invocation after the other lets the run work. What is done is kept in the run's own log, so a handler has a single entry and
 * replays nothing: whatever the next attempt runs on, and with whatever version of the agent, it goes on from the log.
 */
export function workObject(sdk: RestateSdk, { names, work, longestMs }: WorkOptions): WorkObject {
  const next = { service: names.work, method: 'work' }
  return sdk.object({
    name: names.work,
    handlers: {
      work: async (ctx: ObjectContext): Promise<void> => {
        const { key } = ctx
        const abortSignal = ctx.request().attemptCompletedSignal
        const worked = await ctx.run('work', () => pausing(sdk, () => work(key, abortSignal)))
        if (worked === 'more') ctx.objectSendClient<WorkHandlers>({ name: names.work }, key).work()
        // A new invocation, since an attempt goes where the one before was, and not to what was deployed since.
        if (worked === 'later') ctx.genericSend({ ...next, key, parameter: new Uint8Array(), delay: laterMs })
      },
    },
    // Nothing is told to Restate meanwhile, and it is not to take that for a process that hangs.
    options: { ...objectOptions, inactivityTimeout: longestMs, abortTimeout: longestMs },
  })
}
