import {
  AgentError,
  type AgentHandle,
  type Ask,
  isAgentError,
  type ReplyTo,
  type Run,
  type UserContent,
} from '@interleave/core'
import { askId, DEV } from '@interleave/core/internal'
import { type ForkOptions, fork, type Journal, type RunSummary } from '@interleave/core/journal'
import type { InfiniteData, MutationOptions, QueryClient } from '@tanstack/react-query'
import { attachRun, newId, registerRun, runHere } from '../pageRuns.ts'
import type { StartDefaults } from '../ReActProvider.tsx'
import { forgetLogs, refreshHistory } from './historyJournal.ts'
import { historyKeys, nameOf } from './historyOptions.ts'

/**
 * Mutations of a run of the history. Those of one run execute in order, temporary failures are retried and take effect
 * once, and the lists refresh afterwards.
 */
export interface HistoryActions<Output = unknown> {
  readonly say: (runId: string, content: UserContent) => Promise<Run<Output>>
  readonly reply: <A extends Ask | string>(runId: string, ask: A, value: ReplyTo<A>) => Promise<Run<Output>>
  /** Continues from an event of a run in a new run. */
  readonly fork: (runId: string, point?: Pick<ForkOptions, 'at' | 'edit'>) => Promise<Run<Output>>
  /** Stops the run if it is open in this page, and deletes it with its child runs. It leaves the lists immediately. */
  readonly remove: (runId: string) => Promise<void>
}

/** The dependencies of an action: the values at the time of the call, also if it waits or is retried. */
interface ActionContext<Output> {
  readonly client: QueryClient
  readonly agent: AgentHandle<Output>
  readonly options: StartDefaults
}

export function createHistoryActions<Output>(getContext: () => ActionContext<Output>): HistoryActions<Output> {
  return {
    say(runId, content) {
      const context = getContext()
      const key = newId(context.options)
      return onRun(context, runId, (run) => run.say(content, { key }))
    },
    reply(runId: string, ask: Ask | string, value: unknown) {
      const id = askId(ask)
      let isRetry = false
      return onRun(getContext(), runId, async (run) => {
        // The run accepted it, and only the response was lost.
        const isAccepted = isRetry && !run.state.asks.some((open) => open.id === id)
        isRetry = true
        if (!isAccepted) await run.reply(id, value)
      })
    },
    fork(runId, point = {}) {
      const context = getContext()
      const { agent, options } = context
      const id = newId(options)
      return mutate(context, runId, {
        async mutationFn() {
          const run = await fork(agent, runId, { ...options, ...point, id })
          registerRun(run, options)
          return run
        },
      })
    },
    async remove(runId) {
      const context = getContext()
      const { client, options } = context
      const journal = options.journal ?? missingJournal()
      const restore = await removeFromLists(client, journal, runId)
      await mutate(context, runId, {
        async mutationFn() {
          const run = await runHere(journal, runId)
          if (run && !run.state.signal) await run.stop('Deleted.')
          await journal.delete(runId)
          forgetLogs(client, journal, runId)
        },
        onError: restore,
      })
    },
  }
}

/** Loads a run and acts on it, as a mutation. */
const onRun = <Output>(
  context: ActionContext<Output>,
  runId: string,
  action: (run: Run<Output>) => Promise<void>,
): Promise<Run<Output>> =>
  mutate(context, runId, {
    async mutationFn() {
      const run = await attachRun(context.agent, runId, context.options)
      await action(run)
      return run
    },
  })

type Lists = InfiniteData<readonly RunSummary[]>

/** Removes a run from the lists. Returns a function that restores it, also if the lists cannot be re-read. */
async function removeFromLists(client: QueryClient, journal: Journal, runId: string): Promise<() => void> {
  const lists = { queryKey: historyKeys.lists(journal) }
  await client.cancelQueries(lists)
  const before = client.getQueriesData<Lists>(lists)
  client.setQueriesData<Lists>(lists, (shown) => shown && without(shown, runId))
  return () => {
    for (const [key, shown] of before) client.setQueryData(key, shown)
  }
}

const without = ({ pages, ...lists }: Lists, runId: string): Lists => ({
  ...lists,
  pages: pages.map((page) => page.filter((run) => run.runId !== runId)),
})

const maxRetries = 3

async function mutate<Result>(
  { client, options }: ActionContext<unknown>,
  runId: string,
  action: Pick<MutationOptions<Result, Error, void>, 'mutationFn' | 'onError'>,
): Promise<Result> {
  const name = nameOf(options.journal)
  const mutationKey = historyKeys.actions(name, runId)
  const refresh = (): Promise<void> => refreshHistory(client, name)
  const mutationOptions: MutationOptions<Result, Error, void> = {
    ...action,
    mutationKey,
    scope: { id: mutationKey.join(' ') },
    networkMode: 'always',
    retry: (count, error) => count < maxRetries && isAgentError(error) && error.retryable,
    onSettled: refresh,
  }
  const mutation = client.getMutationCache().build(client, client.defaultMutationOptions(mutationOptions))
  const result = await mutation.execute()
  if (isRun(result)) void result.settled.then(refresh)
  return result
}

const isRun = (value: unknown): value is Run => typeof value === 'object' && value !== null && 'settled' in value

/** Throws the error for a missing journal. */
export function missingJournal(): never {
  throw new AgentError(
    'options_invalid',
    DEV && '`journal` is missing. Pass one: <ReActProvider journal={journal}> or useHistory(agent, { journal }).',
  )
}
