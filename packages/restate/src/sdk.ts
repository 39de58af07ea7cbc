import type { handlers, object, PauseError, RestatePromise, TerminalError } from '@restatedev/restate-sdk/fetch'

/**
 * Restate's SDK, as a module. The app passes the one that fits the place: `@restatedev/restate-sdk` in Node,
 * `@restatedev/restate-sdk/fetch` behind a fetch handler, `@restatedev/restate-sdk-cloudflare-workers/fetch` in workerd. The types of
 * these packages do not fit each other, so this says only what is looked for in them.
 */
export interface RestateModule {
  readonly object: (definition: never) => unknown
  readonly handlers: { readonly object: { readonly shared: (handler: never) => unknown } }
  readonly RestatePromise: { readonly race: (of: never) => unknown }
}

/** What is used of it. */
export interface RestateSdk {
  readonly object: typeof object
  readonly handlers: typeof handlers
  readonly RestatePromise: Pick<typeof RestatePromise, 'race'>
  readonly TerminalError: typeof TerminalError
  readonly PauseError?: typeof PauseError | undefined
}
