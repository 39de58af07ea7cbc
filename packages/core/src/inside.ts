import type { Activity, RunContext } from './run.ts'
import type { ToolContext } from './tool.ts'

/** The context of a tool that `resumes`: the usual one, and the run that it is part of. */
export interface Inside extends ToolContext {
  readonly run: RunContext
  readonly activity: Activity
  /** The key of the call. */
  readonly call: string
}
