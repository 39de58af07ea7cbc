import type { AgentHandle, Host } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { ShownRun } from '@interleave/core/internal'
import { fromFailure, isConflict } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { ClientPages } from './clientPages.ts'
import type { HandlerLimits } from './handlerOptions.ts'
import { type Limiter, tooMany } from './limiter.ts'
import type { LiveRun } from './liveRun.ts'
import type { LiveRuns } from './liveRuns.ts'
import type { ReplyTokens } from './replyTokens.ts'
import type { RunNames } from './runNames.ts'
import type { RunSeals } from './runSeals.ts'

/** The shared state of a handler. */
export interface Place {
  readonly agents: ReadonlyMap<string, AgentHandle>
  readonly journal: Journal
  readonly runs: LiveRuns
  readonly tokens: ReplyTokens
  readonly seals: RunSeals
  readonly limiter: Limiter
  readonly pages: ClientPages
  readonly limits: HandlerLimits
  readonly host: Host
}

/** One authorized request. */
export interface Visit extends Place {
  readonly request: Request
  readonly url: URL
  readonly principal: string
  readonly names: RunNames
  /** The run that it is about, as the journal has it; empty where it is about none. */
  readonly runId: string
}

/** Acts on a run, alive or from the journal. If another owner took over meanwhile, it is taken over again. */
export async function withRun<T>({ runs, runId }: Visit, act: (live: LiveRun) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const live = await runs.open(runId)
    const endUse = live.use()
    try {
      return await act(live)
    } catch (error) {
      if (!isConflict(error) || attempt === 3) throw error
      runs.drop(live)
    } finally {
      endUse()
    }
  }
}

/** One run more is to work. */
export function takeRoom({ runs, names, limits }: Visit, live?: LiveRun): void {
  if (live && !live.run.state.rest) return
  if (runs.countAtWork(names.owner) < limits.runs) return
  throw tooMany(`${limits.runs} runs may work at once. Wait for one of them, or stop it.`)
}

/**
 * Resolves when the journal has so much of a run. Throws `journal_conflict` if it has something else, and what is wrong with it if it
 * does not take it. `before` is a fault that was there before.
 */
export function untilKept(live: LiveRun, length: number, before?: ShownRun['fault']): Promise<void> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      const { kept, fault } = live.view
      const isKept = kept.length >= length
      if (!isKept && !live.isOver && (!fault || fault === before)) return
      leave()
      if (isKept) resolve()
      else if (live.isOver || fault?.signal.type !== 'failed')
        reject(new AgentError('journal_conflict', 'Another owner took over this run.'))
      else reject(fromFailure(fault.signal.error))
    }
    const leave = live.subscribe((event) => event ?? look())
    look()
  })
}
