import type { Host } from '@interleave/core'
import type { HandlerLimits } from '@interleave/server'
import type { DurableNamespace } from './durableContext.ts'

/** One request of somebody who may make it. */
export interface FrontVisit {
  readonly host: Host
  readonly runs: DurableNamespace
  readonly people: DurableNamespace
  readonly request: Request
  readonly url: URL
  readonly limits: HandlerLimits
  readonly principal: string
  /** The object of the person. */
  readonly owner: string
  /** The run, as its owner names it. */
  readonly runId: string
  /** The object of the run. */
  readonly runName: string
  readonly body: unknown
}
