/** A row of the timeline: something that takes time in a run, or a mark. Times are milliseconds since the epoch. */
export interface TimelineRow {
  /** The same for the same thing while the log grows. */
  readonly id: string
  readonly kind: RowKind
  readonly title: string
  readonly state: RowState
  /** The event that it is selected by. A turn that still streams has the `seq` that comes next. */
  readonly seq: number
  readonly start: number
  /** Equal to `start` for a mark; undefined while it continues. */
  readonly end: number | undefined
  /** The time of the model's first token, if it was observed live. */
  readonly firstTokenAt?: number
  /** 0 for what stands for itself, 1 for what belongs to a turn. */
  readonly depth: 0 | 1
}

/** `child` is a run of another agent, `aside` a side call. */
export type RowKind = 'said' | 'turn' | 'call' | 'child' | 'wait' | 'retry' | 'compaction' | 'aside' | 'rest'

/** `queued` is a call that has not started, `paused` continues with the run. */
export type RowState = 'done' | 'working' | 'waiting' | 'queued' | 'paused' | 'failed' | 'denied' | 'stopped'
