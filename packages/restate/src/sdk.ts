import type { handlers, object, PauseError, RestatePromise, TerminalError } from '@restatedev/restate-sdk/fetch'

/** The virtual objects that store a run, each under the run's id. */
export interface ServiceNames {
  /** Stores the log's length, its owner and its end. */
  readonly log: string
  /** Stores the log's earlier pages. */
  readonly pages: string
  /** Stores commands that are not done yet. */
  readonly inbox: string
  /** Executes the run: one invocation at a time. */
  readonly work: string
}

export const serviceNames = (name: string): ServiceNames => ({
  log: `${name}-log`,
  pages: `${name}-pages`,
  inbox: `${name}-inbox`,
  work: `${name}-work`,
})

/**
 * The options of handlers that return at once and need no trace: the log is the record. After an hour of retries, the
 * invocation is paused.
 */
export const objectOptions = {
  // A handler that waits for a signal frees its slot.
  inactivityTimeout: 1_000,
  journalRetention: 0,
  // Restate stores the response to each request, by default for a day. Here a repeated request has no second effect.
  idempotencyRetention: 0,
  retryPolicy: {
    initialInterval: 20,
    exponentiationFactor: 2,
    maxInterval: 5_000,
    maxAttempts: 720,
    onMaxAttempts: 'pause',
  },
} as const

/**
 * Restate's SDK, as a module. Pass the one for your platform: `@restatedev/restate-sdk` in Node,
 * `@restatedev/restate-sdk/fetch` behind a fetch handler, `@restatedev/restate-sdk-cloudflare-workers/fetch` in
 * workerd. The types of these packages are not compatible, so this declares only the used members.
 */
export interface RestateModule {
  readonly object: (definition: never) => unknown
  readonly handlers: { readonly object: { readonly shared: (handler: never) => unknown } }
  readonly RestatePromise: { readonly race: (of: never) => unknown }
}

/** The used members of the SDK. */
export interface RestateSdk {
  readonly object: typeof object
  readonly handlers: typeof handlers
  readonly RestatePromise: Pick<typeof RestatePromise, 'race'>
  readonly TerminalError: typeof TerminalError
  readonly PauseError?: typeof PauseError | undefined
}
