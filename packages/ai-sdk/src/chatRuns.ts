import { type AgentHandle, type Host, isAgentError, type Observer, type Run, type UserContent } from '@interleave/core'
import { assertOption, type HandleOptions, isAgent } from '@interleave/core/internal'
import { type ForkEdit, fork, type Journal } from '@interleave/core/journal'

export interface ChatRunsOptions {
  /** Where the logs of the agent's runs are. A handle, as `acrossTabs()` makes it, has its own, and needs it only to fork. */
  journal?: Journal
  host?: Host
  observers?: readonly Observer[]
}

/** The runs behind chats, by the ids of the chats. */
export interface ChatRuns {
  /** The run of a chat, if there is one: alive, or from the journal. */
  find(chatId: string): Promise<Run | undefined>
  start(chatId: string, input: UserContent, options: Pick<HandleOptions, 'key' | 'history'>): Run
  /** Forks the chat's run at the event `at` and continues the chat with the new run. */
  fork(chatId: string, run: Run, cut: { readonly at: number; readonly edit?: ForkEdit }): Promise<Run>
}

export function createChatRuns(agent: AgentHandle, { journal, host, observers = [] }: ChatRunsOptions): ChatRuns {
  const place = { ...(journal && { journal }), ...(host && { host }) }
  const own = isAgent(agent) ? agent : undefined
  /** Handles know their runs themselves. */
  const alive = new Map<string, Run>()
  /** The number of forks of each chat. */
  const forks = new Map<string, number>()

  const forksOf = async (chatId: string): Promise<number> => {
    let count = forks.get(chatId) ?? 0
    while (journal && (await journal.read(idOf(chatId, count + 1))).length > 0) count++
    forks.set(chatId, count)
    return count
  }
  const resume = async (id: string): Promise<Run | undefined> => {
    const known = alive.get(id)
    if (known && !isLost(known)) return known
    if (own && !journal) return known
    try {
      const run = await (own ? own.resume(id, { ...place, observers }) : agent.resume(id, { observers }))
      return keep(id, run)
    } catch (error) {
      if (isAgentError(error) && error.code === 'run_unknown') return undefined
      throw error
    }
  }
  const keep = (id: string, run: Run): Run => {
    if (own) alive.set(id, run)
    return run
  }

  return {
    find: async (chatId) => resume(idOf(chatId, await forksOf(chatId))),
    start: (chatId, input, options) =>
      keep(
        chatId,
        own
          ? own.start(input, { ...options, ...place, id: chatId, observers })
          : agent.start(input, { ...options, id: chatId, observers }),
      ),
    async fork(chatId, run, cut) {
      assertOption(
        journal,
        'To answer a message again, chatTransport() needs the journal: chatTransport(agent, { journal }).',
      )
      const count = (await forksOf(chatId)) + 1
      const id = idOf(chatId, count)
      const forked = await fork(agent, run.id, { ...cut, id, ...place, journal, observers })
      forks.set(chatId, count)
      return keep(id, forked)
    },
  }
}

/** Returns the run id of a chat, which keeps its own id when it continues with another run. */
const idOf = (chatId: string, forks: number): string => (forks === 0 ? chatId : `${chatId}~${forks}`)

/** Returns true if another owner took over. */
const isLost = ({ state: { rest } }: Run): boolean => rest?.type === 'failed' && rest.error.code === 'journal_conflict'

/** Does work one after the other for each name. */
export function createQueues(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
  const tails = new Map<string, Promise<unknown>>()
  return (name, work) => {
    const done = (tails.get(name) ?? Promise.resolve()).then(work)
    const tail = done
      .catch(() => {})
      .then(() => {
        if (tails.get(name) === tail) tails.delete(name)
      })
    tails.set(name, tail)
    return done
  }
}
