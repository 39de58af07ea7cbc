import type { Failure } from './error.ts'

/** The page's connection to the server for one run. */
export type RemoteLink =
  | { readonly type: 'connecting' }
  | { readonly type: 'connected' }
  /**
   * Nothing comes. It is tried again at this time, in milliseconds since the epoch, and at once when the device is online again.
   * There is an error but where the server ended the stream.
   */
  | { readonly type: 'waiting'; readonly until: number; readonly error?: Failure }
