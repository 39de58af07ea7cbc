import type { AgentHandle, Run, RunState, UserContent } from '@interleave/core'
import { AgentError } from '@interleave/core'
import type { ErrorCode, HandleOptions } from '@interleave/core/internal'
import { isAgent, isOvertaken } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { IdleRegistry } from '../idleRegistry.ts'
import { OwnedRun } from '../owner.ts'
import { ofOtherAgent } from '../registry.ts'

type StartOptions = Pick<HandleOptions, 'key' | 'history'> & { readonly id: string }

/** The runs that are alive in a worker. One that no page shows is released once it has finished and is durable. */
export class HostedRuns {
  readonly registry: IdleRegistry<OwnedRun>
  readonly #journal: Journal | undefined
  readonly #agents = new WeakMap<OwnedRun, AgentHandle>()

  constructor(journal: Journal | undefined) {
    this.#journal = journal
    this.registry = new IdleRegistry({
      settledLength: ({ run: { state } }) =>
        state.signal && state.signal.type !== 'inputNeeded' ? state.seq : undefined,
      isDurable: (owned) => this.#isDurableOrGone(owned),
      // A shared run has resources besides memory.
      releaseItem: (owned) => owned.closeRun(),
    })
  }

  startRun(agent: AgentHandle, input: UserContent, options: StartOptions): OwnedRun {
    const { id } = options
    this.registry.assertFree(id)
    const own = isAgent(agent) && this.#journal && { journal: this.#journal }
    const owned = this.#own(agent, agent.start(input, { ...options, ...own }))
    this.registry.addItem(id, owned)
    return owned
  }

  /** Returns true if runs of the agent outlive this worker. */
  storesRuns(agent: AgentHandle): boolean {
    return !isAgent(agent) || this.#journal !== undefined
  }

  /** Returns the run, alive or from the journal. */
  async openRun(agent: AgentHandle, id: string): Promise<OwnedRun> {
    const known = this.registry.findItem(id)
    if (known && isOvertaken(known.run)) this.registry.removeItem(id, known)
    const owned = await this.registry.openItem(id, async () => this.#own(agent, await this.#resume(agent, id)))
    const { name } = this.#agents.get(owned) ?? agent
    if (this.#agents.get(owned) === agent) return owned
    throw ofOtherAgent(id, name)
  }

  /**
   * Returns the run for a command, if it is open. A run that another owner has resumed is loaded again first: its user
   * continues it here.
   */
  async continueRun(agent: AgentHandle, id: string): Promise<OwnedRun | undefined> {
    const known = this.registry.findItem(id)
    return known && isOvertaken(known.run) ? this.openRun(agent, id) : known
  }

  #own(agent: AgentHandle, run: Run): OwnedRun {
    const owned = new OwnedRun(run, () => void this.registry.releaseIfIdle(run.id))
    this.#agents.set(owned, agent)
    return owned
  }

  async #resume(agent: AgentHandle, id: string): Promise<Run> {
    if (!isAgent(agent)) return agent.resume(id)
    if (this.#journal) return agent.resume(id, { journal: this.#journal })
    throw new AgentError(
      'run_unknown',
      `No run "${id}" is alive in this worker. Pass a \`journal\` to workerHost(), so that runs are stored.`,
    )
  }

  /** Returns true if the last event is in the journal, or the run was deleted. */
  async #isDurableOrGone(owned: OwnedRun): Promise<boolean> {
    const { id, state } = owned.run
    const agent = this.#agents.get(owned)
    // A handle has a journal of its own, and its run shows if that rejects the events.
    if (agent && !isAgent(agent)) return !isUnwritten(state)
    try {
      if (!this.#journal) return false
      if ((await this.#journal.read(id, state.seq - 1)).length > 0) return true
      return !isUnwritten(state) && (await this.#journal.read(id)).length === 0
    } catch {
      return false
    }
  }
}

/** Returns true if the latest events are in memory alone. */
const isUnwritten = (state: RunState): boolean => codeOf(state) === 'journal_failed' || codeOf(state) === 'journal_full'

const codeOf = ({ signal }: RunState): ErrorCode | undefined =>
  signal?.type === 'failed' ? signal.error.code : undefined
