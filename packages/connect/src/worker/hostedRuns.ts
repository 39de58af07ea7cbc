import type { AgentHandle, Run, RunState, UserContent } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { ErrorCode, HandleOptions } from '@interleave/core/internal'
import { isAgent } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { HostedRun } from '../followRun.ts'

/** The runs that are alive in a worker. They stay so when the page that began them goes. */
export interface HostedRuns {
  start(agent: AgentHandle, input: UserContent, options: Started): Run
  /** The run, alive or from the journal. */
  open(agent: AgentHandle, id: string): Promise<Run>
  find(id: string): Run | undefined
  /**
   * Called when no page shows a run any more. A durable run that has finished or reached a limit is freed. One that
   * waits for a user stays, because its tools are still running.
   */
  leave(id: string): Promise<void>
}

export interface HostedRunsOptions {
  readonly journal: Journal | undefined
  readonly isSeen: (id: string) => boolean
}

type Started = Pick<HandleOptions, 'key' | 'history'> & { readonly id: string }
interface Hosted {
  readonly agent: AgentHandle
  readonly opening: Promise<Run>
  run?: Run
}

export function createHostedRuns({ journal, isSeen }: HostedRunsOptions): HostedRuns {
  const hosted = new Map<string, Hosted>()

  const resume = async (agent: AgentHandle, id: string): Promise<Run> => {
    if (!isAgent(agent)) return agent.resume(id)
    if (journal) return agent.resume(id, { journal })
    throw new AgentError(
      'run_unknown',
      `No run "${id}" works in this worker. Give workerHost() a journal, so that runs are kept.`,
    )
  }
  /** The last event is in the journal, and so are all before it; or the run was deleted, and nothing of it is. */
  const isKeptOrGone = async (agent: AgentHandle, { id, state }: Run): Promise<boolean> => {
    // A handle has a journal of its own, and says so where that does not take the run.
    if (!isAgent(agent)) return !isUnwritten(state)
    try {
      if (!journal) return false
      if ((await journal.read(id, state.seq - 1)).length > 0) return true
      return !isUnwritten(state) && (await journal.read(id)).length === 0
    } catch {
      return false
    }
  }

  return {
    find: (id) => hosted.get(id)?.run,
    start(agent, input, options) {
      const { id } = options
      if (hosted.has(id))
        throw new AgentError('journal_conflict', `There is a run "${id}" already. Start with another id.`)
      const run = agent.start(input, isAgent(agent) && journal ? withJournal(options, journal) : options)
      hosted.set(id, { agent, run, opening: Promise.resolve(run) })
      return run
    },
    open(agent, id) {
      const known = hosted.get(id)
      if (known && known.agent !== agent) return Promise.reject(mismatch(id, known.agent))
      if (known && !isOutlived(known)) return known.opening
      const opened: Hosted = { agent, opening: resume(agent, id) }
      hosted.set(id, opened)
      opened.opening.then(
        (run) => {
          opened.run = run
        },
        () => hosted.delete(id),
      )
      return opened.opening
    },
    async leave(id) {
      const left = hosted.get(id)
      // It may still be looked for.
      const run = await left?.opening.catch(() => undefined)
      if (!left || !run) return
      const { type } = await run.settled
      const { seq } = run.state
      if (type === 'inputNeeded' || !(await isKeptOrGone(left.agent, run))) return
      if (hosted.get(id) !== left || run.state.seq !== seq || isSeen(id)) return
      hosted.delete(id)
      // One that is shared holds more than memory.
      const { close } = run as Partial<HostedRun>
      close?.()
    },
  }
}

/** Returns true if another owner took over, so that this run is useless. */
const isOutlived = ({ run }: Hosted): boolean => codeOf(run?.state) === 'journal_conflict'

/** Returns true if the latest events are only in memory. */
const isUnwritten = (state: RunState): boolean => codeOf(state) === 'journal_failed' || codeOf(state) === 'journal_full'

const codeOf = ({ rest }: Partial<RunState> = {}): ErrorCode | undefined =>
  rest?.type === 'failed' ? rest.error.code : undefined

const withJournal = (options: Started, journal: Journal): Started & { journal: Journal } => ({ ...options, journal })

const mismatch = (id: string, { name }: AgentHandle): AgentError =>
  new AgentError('agent_mismatch', `The run "${id}" is of the agent "${name}". Resume it with that one.`)
