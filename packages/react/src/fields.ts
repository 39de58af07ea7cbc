import { type Ask, type Failure, type RunState, type ScratchpadEntry, type Signal, scratchpad } from '@interleave/core'
import { asksOf } from './useAsks.ts'
import { type Draft, draftOf } from './useDraft.ts'
import { type RunStatus, statusOf } from './useStatus.ts'
import { type RunUsage, usageOf } from './useUsage.ts'

/** The fields that `useReAct` returns. Reading a field makes the component render when it changes. */
export interface Fields<Output = unknown> {
  readonly state: RunState
  readonly status: RunStatus['status']
  /** The signal of a paused or finished run; undefined while it runs. */
  readonly signal: Signal<Output> | undefined
  /** The output of the latest answer; undefined while the run works on the next one. */
  readonly answer: Output | undefined
  readonly scratchpad: readonly ScratchpadEntry[]
  readonly usage: RunUsage
  readonly asks: readonly Ask[]
  readonly draft: Draft | undefined
  readonly isWorking: boolean
  /** Why the run failed, or could not be attached to. */
  readonly error: Failure | undefined
}

/** Each of them gives the same value for the same state. */
export const fields: { readonly [Name in keyof Fields]: (state: RunState) => Fields[Name] } = {
  state: (state) => state,
  status: (state) => statusOf(state).status,
  signal: ({ rest }) => rest,
  answer: ({ rest }) => (rest?.type === 'answer' ? rest.output : undefined),
  scratchpad,
  usage: usageOf,
  asks: asksOf,
  draft: draftOf,
  isWorking: (state) => statusOf(state).status === 'working',
  error: ({ rest }) => (rest?.type === 'failed' ? rest.error : undefined),
}
