import type { AgentError } from '@interleave/core'

/** Something that somebody who keeps Restate running has to look at. */
export type RestateAlarm =
  /** Restate has given up trying: the run stands still until it is resumed. */
  | { readonly type: 'paused'; readonly runId: string; readonly call: string; readonly failure: string }
  /** It has failed so often, and is tried again. */
  | {
      readonly type: 'retrying'
      readonly runId: string
      /** What of the run, such as `interleave-log/work`. */
      readonly call: string
      readonly failure: string
      readonly attempts: number
    }
  /** Nobody knows how the runs are. It is looked again. */
  | { readonly type: 'unseen'; readonly error: AgentError }
