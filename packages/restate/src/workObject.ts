import type { ObjectContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { laterMs, triesOf } from './laterMs.ts'
import { objectOptions } from './objectOptions.ts'
import { pausing } from './pausing.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'
import { toBytes } from './toBytes.ts'

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
