import type { handlers, object, PauseError, RestatePromise, TerminalError } from '@restatedev/restate-sdk/fetch'

/** Virtual objects that hold all of a run, each under the run's id. */
export interface ServiceNames {
  /** The log's length, its owner, its end. */
  readonly log: string
  /** The log's earlier pages. */
  readonly pages: string
  /** Commands that are not carried out yet. */
  readonly inbox: string
  /** Lets the run work: one invocation at a time. */
  readonly work: string
}

export const serviceNames = (name: string): ServiceNames => ({
  log: `${name}-log`,
  pages: `${name}-pages`,
  inbox: `${name}-inbox`,
  work: `${name}-work`,
})

/** Of what is done at once and needs no trace: the log is the record. An hour of tries, then the invocation is paused. */
export const objectOptions = {
  // What waits for news lets go of its place among those that Restate lets work at once.
  inactivityTimeout: 1_000,
  journalRetention: 0,
  // Restate keeps the answer to whatever is asked, by default for a day. Asked again with the same name, nothing here is done twice.
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
