import type { ObjectContext, RestatePromise } from '@restatedev/restate-sdk/fetch'
import { newsName } from './inboxObject.ts'
import type { RestateSdk } from './sdk.ts'

/** Waits for a promise of the SDK, and calls back when a command arrives meanwhile. */
export type Hearing = <T>(coming: RestatePromise<T>, hear: () => void) => Promise<T>

/** The SDK bears only one `await` at a time, so both are in one. */
export function createHearing(ctx: ObjectContext, { RestatePromise: { race } }: RestateSdk): Hearing {
  let times = 1
  let news = ctx.signal(newsName(times))
  return async (coming, hear) => {
    const done = coming.map((value, failure) => {
      if (failure) throw failure
      return { value: value as Awaited<typeof coming> }
    })
    for (;;) {
      const first = await race([done, news.map(() => undefined)])
      if (first) return first.value
      times++
      news = ctx.signal(newsName(times))
      hear()
    }
  }
}
