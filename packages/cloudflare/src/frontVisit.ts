import type { Host } from '@interleave/core'
import type { HandlerLimits } from '@interleave/server'
import type { DurableNamespace } from './durableContext.ts'

/** An authorized request. */
export interface FrontVisit {
  readonly host: Host
  readonly runs: DurableNamespace
  readonly people: DurableNamespace
  readonly request: Request
  readonly url: URL
  readonly limits: HandlerLimits
  readonly principal: string
  /** The user's object. */
  readonly owner: string
  /** The run, as its owner names it. */
  readonly runId: string
  /** The object of the run. */
  readonly runName: string
  readonly body: unknown
}
