import type { RowKind, RowState } from './timelineRow.ts'

/** Where a row stands, in words: never by its colour only. */
export const stateWords: Readonly<Record<RowState, string>> = {
  done: 'done',
  working: 'working',
  waiting: 'waiting for you',
  queued: 'not begun',
  paused: 'paused',
  failed: 'failed',
  denied: 'refused',
  stopped: 'stopped',
}

export const kindWords: Readonly<Record<RowKind, string>> = {
  said: 'message',
  turn: 'model call',
  call: 'tool call',
  child: 'run of another agent',
  wait: 'question',
  retry: 'retry',
  compaction: 'compaction',
  aside: 'beside',
  rest: 'end',
}
