import type { Json, Run } from '@interleave/core'

/** One call that was made here. */
export interface Tried {
  readonly number: number
  readonly tool: string
  readonly input: Json
  readonly run: Run
}
