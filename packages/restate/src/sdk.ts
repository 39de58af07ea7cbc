import type { handlers, object, TimeoutError } from '@restatedev/restate-sdk/fetch'

/**
 * What is used of Restate's SDK. The app passes the module that fits the place: `@restatedev/restate-sdk` in Node,
 * `@restatedev/restate-sdk/fetch` behind a fetch handler, `@restatedev/restate-sdk-cloudflare-workers/fetch` in workerd.
 */
export interface RestateSdk {
  readonly object: typeof object
  readonly handlers: typeof handlers
  readonly TimeoutError: typeof TimeoutError
}
