import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { UserContent } from '@interleave/core'
import type { Command } from '@interleave/core/internal'

/** The way to the host where the runs execute: a message port, HTTP with a stream of events, or a service. */
export interface Transport {
  /** Resolves when the host has done it, with the length of the log then. The signal aborts if a message is withdrawn. */
  sendRequest(request: Request, signal?: AbortSignal): Promise<number>
  /** Cancels the requests of a run that was closed here. */
  cancelRequests(runId: string, error: Error): void
}

export type Request =
  | {
      readonly type: 'start'
      readonly run: string
      readonly input: UserContent
      readonly key?: string
      readonly history?: readonly LanguageModelV4Message[]
    }
  /** Follows a run. The host resumes it if it is not alive. */
  | { readonly type: 'attach'; readonly run: string }
  | { readonly type: 'command'; readonly run: string; readonly command: Command }
  /** Ends following a run, which continues. */
  | { readonly type: 'leave'; readonly run: string }
  /** Resolves when the latest `rested` event is durable. */
  | { readonly type: 'settle'; readonly run: string }
