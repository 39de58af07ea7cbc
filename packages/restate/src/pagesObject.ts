import type { Event } from '@interleave/core'
import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from '@restatedev/restate-sdk/fetch'
import { objectOptions } from './objectOptions.ts'
import type { RestateSdk } from './sdk.ts'
import type { ServiceNames } from './serviceNames.ts'

export interface Page {
  readonly from: number
  readonly events: readonly Event[]
}

/** The handlers of the inbox. */
export type PagesHandlers = {
  put(ctx: ObjectContext, page: Page): Promise<void>
  clear(ctx: ObjectContext): Promise<void>
  get(ctx: ObjectSharedContext, from: number): Promise<readonly Event[] | null>
}
export type PagesObject = VirtualObjectDefinition<string, PagesHandlers>

/** The earlier events of a log, apart from its end: what is written with each append stays small. */
export function pagesObject({ object, handlers }: RestateSdk, names: ServiceNames): PagesObject {
  return object({
    name: names.pages,
    handlers: {
      put: async (ctx: ObjectContext, { from, events }: Page): Promise<void> => ctx.set(`${from}`, events),
      clear: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
      /** Null for a page that is on its way. */
      get: handlers.object.shared(
        async (ctx: ObjectSharedContext, from: number): Promise<readonly Event[] | null> => ctx.get(`${from}`),
      ),
    },
    // A page is read alone: nothing else of the object is sent along.
    options: { ...objectOptions, enableLazyState: true },
  })
}
