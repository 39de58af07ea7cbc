import type { OwnedRun } from '@interleave/connect/internal'
import type { AgentHandle, Host } from '@interleave/core'
import { isConflict } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { ClientPages } from './clientPages.ts'
import type { Failures } from './failures.ts'
import type { HandlerLimits, HandlerOptions } from './handlerOptions.ts'
import { type Limiter, tooManyRuns } from './limiter.ts'
import type { GivenContext, LiveRuns } from './liveRuns.ts'
import type { ReplyTokens } from './replyTokens.ts'
import type { RunNames } from './runNames.ts'
import type { RunSeals } from './signer.ts'

/** The shared state of a handler. */
export interface HandlerContext {
  readonly agents: ReadonlyMap<string, AgentHandle>
  readonly journal: Journal
  readonly runs: LiveRuns
  readonly tokens: ReplyTokens
  readonly seals: RunSeals
  readonly limiter: Limiter
  readonly pages: ClientPages
  readonly limits: HandlerLimits
  readonly permissionStore: HandlerOptions['permissionStore']
  readonly host: Host
  readonly failures: Failures
  readonly exposeErrors: boolean
}

/** One authorized request. */
export interface RequestContext extends HandlerContext {
  readonly request: Request
  readonly url: URL
  readonly principal: string
  /** The context for the run that `authorize` returned, if it did. */
  readonly given?: GivenContext | undefined
  readonly names: RunNames
  /** The run of the request, as the journal names it; empty if there is none. */
  readonly runId: string
}

/** Opens a run for `act`. If another owner takes it over meanwhile, takes it back and acts again. */
export async function withRun<T>(
  { runs, runId, given }: RequestContext,
  act: (live: OwnedRun) => Promise<T>,
): Promise<T> {
  const endUse = runs.useRun(runId)
  try {
    for (let attempt = 1; ; attempt++) {
      const live = await runs.openRun(runId, given)
      try {
        return await act(live)
      } catch (error) {
        if (!isConflict(error) || attempt === 3) throw error
        runs.dropRun(live)
      }
    }
  } finally {
    endUse()
  }
}

/** Checks that the user may have one more running run. */
export function takeRoom({ runs, names, limits }: RequestContext, live?: OwnedRun): void {
  if (live && !live.run.state.signal) return
  if (runs.countAtWork(names.owner) < limits.runs) return
  throw tooManyRuns(limits.runs)
}
