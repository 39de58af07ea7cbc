/** What takes time in a run, or marks a place in it: one line of the timeline. Times are milliseconds since the epoch. */
export interface TimelineRow {
  /** The same for the same thing while the log grows. */
  readonly id: string
  readonly kind: RowKind
  readonly title: string
  readonly state: RowState
  /** The event that it is selected by. A turn that still streams has the `seq` that comes next. */
  readonly seq: number
  readonly start: number
  /** The same as `start` for what only marks a place; undefined while it goes on. */
  readonly end: number | undefined
  /** When the model began to write, where somebody watched. */
  readonly firstTokenAt?: number
  /** 0 for what stands for itself, 1 for what belongs to a turn. */
  readonly depth: 0 | 1
}

/** `child` is a run of another agent, `aside` a model that was asked beside the turns. */
export type RowKind = 'said' | 'turn' | 'call' | 'child' | 'wait' | 'retry' | 'compaction' | 'aside' | 'rest'

/** `queued` is a call that is not begun, `paused` what goes on with the run. */
export type RowState = 'done' | 'working' | 'waiting' | 'queued' | 'paused' | 'failed' | 'denied' | 'stopped'
