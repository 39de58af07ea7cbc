import { type AgentHandle, type Host, isAgentError, type Listener, type Run, type UserContent } from '@interleave/core'
import { assertOption, cached, DEV, type HandleOptions, isAgent, isOver, isOvertaken } from '@interleave/core/internal'
import { type ForkEdit, fork, type Journal } from '@interleave/core/journal'

export interface ChatRunsOptions {
  /**
   * The journal of the agent's runs. A handle, such as that of `acrossTabs()`, has its own, and needs this one only to
   * fork.
   */
  journal?: Journal
  host?: Host
  observers?: readonly Listener[]
}

/** The runs behind chats, by the ids of the chats. */
export class ChatRuns {
  readonly #agent: AgentHandle
  readonly #options: ChatRunsOptions
  /** The open runs. Handles track their runs themselves. */
  readonly #open = new Map<string, Run>()
  /** The number of forks of each chat. */
  readonly #forks = new Map<string, number>()
  /** Aborted when another run replaces a run in its chat. */
  readonly #replaced = new WeakMap<Run, AbortController>()

  constructor(agent: AgentHandle, options: ChatRunsOptions) {
    this.#agent = agent
    this.#options = options
  }

  /** Returns the run of a chat, open or from the journal, if there is one. */
  async findRun(chatId: string): Promise<Run | undefined> {
    const id = idOf(chatId, await this.#forksOf(chatId))
    const known = this.#open.get(id)
    if (known && !isOvertaken(known)) return known
    if (isAgent(this.#agent) && !this.#options.journal) return known
    try {
      return this.#keep(id, await this.#agent.resume(id, this.#runOptions))
    } catch (error) {
      if (isAgentError(error) && error.code === 'run_unknown') return undefined
      throw error
    }
  }

  startRun(chatId: string, input: UserContent, options: Pick<HandleOptions, 'key' | 'history'>): Run {
    return this.#keep(chatId, this.#agent.start(input, { ...options, id: chatId, ...this.#runOptions }))
  }

  /** Forks the chat's run at the event `at` and continues the chat with the new run. */
  async forkRun(chatId: string, run: Run, cut: { readonly at: number; readonly edit?: ForkEdit }): Promise<Run> {
    const { journal, host, observers = [] } = this.#options
    assertOption(
      journal,
      DEV && 'To answer a message again, chatTransport() needs the journal: chatTransport(agent, { journal }).',
    )
    this.#replaced.get(run)?.abort()
    // The chat does not show the rest of this run.
    if (!run.state.signal) await run.stop('The chat continues elsewhere.')
    const count = (await this.#forksOf(chatId)) + 1
    const id = idOf(chatId, count)
    const forked = await fork(this.#agent, run.id, { ...cut, id, ...(host && { host }), journal, observers })
    this.#forks.set(chatId, count)
    return this.#keep(id, forked)
  }

  /** Returns a signal that ends the streams of a run once another run has replaced it. */
  replacedSignal(run: Run): AbortSignal {
    return cached(this.#replaced, run, () => new AbortController()).signal
  }

  /** The options of each run. A handle has its own journal and host. */
  get #runOptions(): ChatRunsOptions {
    const { observers = [], ...options } = this.#options
    return isAgent(this.#agent) ? { ...options, observers } : { observers }
  }

  async #forksOf(chatId: string): Promise<number> {
    const { journal } = this.#options
    let count = this.#forks.get(chatId) ?? 0
    while (journal && (await journal.read(idOf(chatId, count + 1))).length > 0) count++
    this.#forks.set(chatId, count)
    return count
  }

  #keep(id: string, run: Run): Run {
    if (!isAgent(this.#agent)) return run
    // Moves the latest to the end.
    this.#open.delete(id)
    this.#open.set(id, run)
    if (this.#options.journal) this.#release()
    return run
  }

  /** Releases ended runs, the oldest first, if there are too many. The journal has them. */
  #release(): void {
    for (const [id, { state }] of this.#open) {
      if (this.#open.size <= mostOpen) return
      if (isOver(state.signal?.type)) this.#open.delete(id)
    }
  }
}

/** The maximum number of open runs of the chats. More are kept open only while they work or ask. */
const mostOpen = 100

/** Returns the run id of a chat, which keeps its own id when it continues with another run. */
const idOf = (chatId: string, forks: number): string => (forks === 0 ? chatId : `${chatId}~${forks}`)
