import type { OwnedRun } from '@interleave/connect/internal'
import type { AgentHandle, Event, Host } from '@interleave/core'
import { isConflict, renameRun } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { ClientPages } from './clientPages.ts'
import type { Failures } from './failures.ts'
import type { HandlerLimits, HandlerOptions } from './handlerOptions.ts'
import { type Limiter, tooManyRuns } from './limiter.ts'
import type { LiveRuns } from './liveRuns.ts'
import type { ReplyTokens } from './replyTokens.ts'
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
  readonly allowStore: HandlerOptions['allowStore']
  readonly host: Host
  readonly failures: Failures
  readonly exposeErrors: boolean
}

/** One authorized request. */
export interface RequestContext extends HandlerContext {
  readonly request: Request
  readonly url: URL
  readonly principal: string
  readonly names: RunNames
  /** The run of the request, as the journal names it; empty if there is none. */
  readonly runId: string
}

/** Opens a run for `act`. If another owner takes it over meanwhile, takes it back and acts again. */
export async function withRun<T>({ runs, runId }: RequestContext, act: (live: OwnedRun) => Promise<T>): Promise<T> {
  const endUse = runs.useRun(runId)
  try {
    for (let attempt = 1; ; attempt++) {
      const live = await runs.openRun(runId)
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
  if (live && !live.run.state.rest) return
  if (runs.countAtWork(names.owner) < limits.runs) return
  throw tooManyRuns(limits.runs)
}

/** Converts run ids between the user's form and the journal's, which begins with the user: no other run has an id. */
export interface RunNames {
  /** The prefix of this owner's run ids in the journal. */
  readonly owner: string
  toKept(id: string): string
  /** Converts a string that begins with the id of a run or of a child run. */
  toShown(id: string): string
  /** Returns events as their owner sees them. */
  show(events: readonly Event[]): readonly Event[]
}

export function runNames(principal: string): RunNames {
  const owner = encodeURIComponent(principal)
  const toShown = (id: string): string => (id.startsWith(`${owner}/`) ? id.slice(owner.length + 1) : id)
  const showOthers = (event: Event): Event => {
    if (event.type === 'started' && event.forkedFrom)
      return { ...event, forkedFrom: { ...event.forkedFrom, runId: toShown(event.forkedFrom.runId) } }
    return event.type === 'allowed' && event.forGood ? { ...event, by: toShown(event.by) } : event
  }
  return {
    owner,
    toKept: (id) => `${owner}/${id}`,
    toShown,
    show: (events) => renameRun(events, toShown).map(showOthers),
  }
}
