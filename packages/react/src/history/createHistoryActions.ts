import {
  type AgentHandle,
  type Ask,
  isAgentError,
  localHost,
  type ReplyTo,
  type Run,
  type UserContent,
} from '@interleave/core'
import { type ForkEdit, fork, type RunSummary } from '@interleave/core/journal'
import type { InfiniteData, MutationOptions, QueryClient } from '@tanstack/react-query'
import { attachRun, keepRun, runHere } from '../attachRun.ts'
import type { StartDefaults } from '../ReActProvider.tsx'
import { historyKeys } from './historyKeys.ts'
import { missingJournal } from './missingJournal.ts'
import { refreshHistory } from './refreshHistory.ts'

/**
 * What can be done with a run of the history. Each is a mutation: those of one run wait for each other, what failed for the
 * moment is tried again and done once, and the lists are read anew afterwards.
 */
export interface HistoryActions<Output = unknown> {
  readonly say: (runId: string, content: UserContent) => Promise<Run<Output>>
  readonly reply: {
    <A extends Ask>(runId: string, ask: A, value: ReplyTo<A>): Promise<Run<Output>>
    (runId: string, askId: string, value: unknown): Promise<Run<Output>>
  }
  /** Goes on from a place of a run in a new one. */
  readonly fork: (runId: string, place?: ForkPlace) => Promise<Run<Output>>
  /** Stops the run, if it works in this page, and deletes it with those below it. It leaves the lists at once. */
  readonly remove: (runId: string) => Promise<void>
}
export interface ForkPlace {
  /** The `seq` of the last event that the new run has; by default that of the last there is. */
  readonly at?: number
  /** What that event is to say instead. */
  readonly edit?: ForkEdit
}

/** By what it is done: read when it is. */
export interface HistoryUsing<Output> {
  readonly client: QueryClient
  readonly agent: AgentHandle<Output>
  readonly options: StartDefaults
}

export function createHistoryActions<Output>(using: () => HistoryUsing<Output>): HistoryActions<Output> {
  const newId = (): string => (using().options.host ?? localHost).newId()
  const found = (runId: string): Promise<Run<Output>> => {
    const { agent, options } = using()
    return attachRun(agent, runId, options)
  }
  return {
    say(runId, content) {
      const key = newId()
      return act(using(), runId, async () => {
        const run = await found(runId)
        await run.say(content, { key })
        return run
      })
    },
    reply(runId: string, ask: Ask | string, value: unknown) {
      const id = typeof ask === 'string' ? ask : ask.id
      let isTriedAgain = false
      return act(using(), runId, async () => {
        const run = await found(runId)
        // It was taken, and only the news of it was lost.
        const isTaken = isTriedAgain && !run.state.asks.some((open) => open.id === id)
        isTriedAgain = true
        if (!isTaken) await run.reply(id, value)
        return run
      })
    },
    fork(runId, place = {}) {
      const id = newId()
      return act(using(), runId, async () => {
        const { agent, options } = using()
        const run = await fork(agent, runId, { ...options, ...place, id })
        keepRun(run, options)
        return run
      })
    },
    async remove(runId) {
      const { client, options } = using()
      const journal = options.journal ?? missingJournal()
      await client.cancelQueries({ queryKey: historyKeys.lists })
      client.setQueriesData<Lists>({ queryKey: historyKeys.lists }, (lists) => lists && without(lists, runId))
      await act(using(), runId, async () => {
        const run = await runHere(journal, runId)
        if (run && !run.state.rest) await run.stop('Deleted.')
        await journal.delete(runId)
      })
    },
  }
}

type Lists = InfiniteData<readonly RunSummary[]>

const without = ({ pages, ...lists }: Lists, runId: string): Lists => ({
  ...lists,
  pages: pages.map((page) => page.filter((run) => run.runId !== runId)),
})

const maxRetries = 3

async function act<Output, Result>(
  { client }: HistoryUsing<Output>,
  runId: string,
  mutationFn: () => Promise<Result>,
): Promise<Result> {
  const refresh = (): Promise<void> => refreshHistory(client)
  const options: MutationOptions<Result, Error, void> = {
    mutationKey: historyKeys.actions(runId),
    scope: { id: runId },
    networkMode: 'always',
    retry: (count, error) => count < maxRetries && isAgentError(error) && error.retryable,
    mutationFn,
    onSettled: refresh,
  }
  const mutation = client.getMutationCache().build(client, client.defaultMutationOptions(options))
  const result = await mutation.execute()
  if (isRun(result)) void result.settled.then(refresh)
  return result
}

const isRun = (value: unknown): value is Run => typeof value === 'object' && value !== null && 'settled' in value
