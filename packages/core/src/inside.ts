import type { Activity, RunContext } from './run.ts'
import type { ToolContext } from './tool.ts'

/** What the function of a tool that `resumes` is given besides its input: the run that it is a part of. */
export interface Inside extends ToolContext {
  readonly run: RunContext
  readonly activity: Activity
  /** The key of the call. */
  readonly call: string
}
