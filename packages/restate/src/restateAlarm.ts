import type { AgentError } from '@interleave/core'

/** An alarm for the operator of Restate. */
export type RestateAlarm =
  /** Restate has stopped retrying: the run is stuck until it is resumed. */
  | { readonly type: 'paused'; readonly runId: string; readonly call: string; readonly failure: string }
  /** It has failed so often, and is tried again. */
  | {
      readonly type: 'retrying'
      readonly runId: string
      /** The part of the run, such as `interleave-log/work`. */
      readonly call: string
      readonly failure: string
      readonly attempts: number
    }
  /** Nobody knows how the runs are. It is looked again. */
  | { readonly type: 'unseen'; readonly error: AgentError }
