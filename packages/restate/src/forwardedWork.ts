import type { ObjectContext, ObjectSharedContext } from '@restatedev/restate-sdk/fetch'
import type { Told } from './asked.ts'
import { checkInput } from './checkInput.ts'
import type { InboxHandlers } from './inboxObject.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'
import type { Starting, WorkingHandlers } from './workingHandlers.ts'
import type { WorkHandlers } from './workObject.ts'

/** Where an invocation cannot record while it works, the run works in another object, and writes to this one like anybody else. */
export function forwardedWork(sdk: RestateSdk, names: ServiceNames): WorkingHandlers {
  const { shared } = sdk.handlers.object
  return {
    start: shared(async (ctx: ObjectSharedContext, starting: Starting): Promise<Told> => {
      checkInput('start', starting, sdk)
      const { id, promise } = ctx.awakeable<Told>()
      ctx.objectSendClient<InboxHandlers>({ name: names.inbox }, ctx.key).put({ ...starting, asker: id })
      return promise
    }) as WorkingHandlers['start'],
    work: shared(async (ctx: ObjectSharedContext): Promise<void> => {
      ctx.objectSendClient<WorkHandlers>({ name: names.work }, ctx.key).work()
    }) as (ctx: ObjectContext) => Promise<void>,
  }
}
