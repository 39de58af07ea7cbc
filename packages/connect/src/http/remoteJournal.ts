import type { Event } from '@interleave/core'
import { AgentError, isAgentError } from '@interleave/core'
import { checkList, checkRunFile, checkStoredKey, wholeNumber } from '@interleave/core/internal'
import type { ListOptions, RunFile, RunSummary, WatchableJournal } from '@interleave/core/journal'
import { newRunId } from '../remoteRuns.ts'
import { asFile, asPage, idOf, type RunPage } from './answers.ts'
import type { SealedRunFile } from './frame.ts'
import { openServer, watchServer } from './openServer.ts'
import type { ServerOptions } from './server.ts'

export type RemoteJournalOptions = ServerOptions

/** Creates the error of a run or a write: only the server executes its runs. */
const refused = (): AgentError =>
  new AgentError('not_allowed', 'A server accepts no events from clients. Use remoteAgent() to continue a run there.')

/** The user's runs on the server. */
export interface RemoteJournal extends WatchableJournal {
  /** Returns the file of a run. Its server recognizes it by its seal if it is unchanged. */
  exportRun(runId: string): Promise<SealedRunFile>
  /** Sends a file that the server exported back to it, as a run of this id, by default a new one. Returns the id. */
  importRun(file: RunFile, options?: { readonly id?: string }): Promise<string>
}

/**
 * Returns the user's runs of a `createHandler()` as a journal: to list, read and delete them, such as with `useHistory()`.
 * Only the server writes to it: `start()` and `resume()` with it throw `not_allowed`.
 *
 * @example
 * <ReActProvider journal={remoteJournal({ url: '/api', headers })}>{children}</ReActProvider>
 */
export function remoteJournal(options: RemoteJournalOptions): RemoteJournal {
  const server = openServer('remoteJournal', options)

  const exportRun = async (runId: string): Promise<SealedRunFile> =>
    asFile(await server.call(`${pathTo(runId)}/export`))
  const pageAfter = async (
    before: string | undefined,
    { agent, below, limit = most }: ListOptions,
  ): Promise<RunPage> => {
    const query = { limit: String(Math.min(limit, most)), agent, below, before }
    const named = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return asPage(await server.call(`runs?${new URLSearchParams(named)}`))
  }

  return {
    exportRun,
    async importRun(file, { id = newRunId() } = {}) {
      return idOf(await server.call(pathTo(id), { method: 'PUT', body: file }))
    },
    get engine(): never {
      throw refused()
    },
    append: () => Promise.reject(refused()),
    read: (runId, from = 0) =>
      orElse<readonly Event[]>([], async () => {
        checkStoredKey(runId)
        return logIn(await exportRun(rootOf(runId)), runId).slice(wholeNumber(from))
      }),
    async list(options = {}) {
      const { limit } = checkList({ limit: Number.POSITIVE_INFINITY, ...options })
      const runs: RunSummary[] = []
      for (let next = positionOf(options.before), isMore = true; isMore && runs.length < limit; ) {
        const page = await pageAfter(next, { ...options, limit: limit - runs.length })
        runs.push(...page.runs)
        next = page.next
        isMore = next !== undefined
      }
      return runs
    },
    delete: (runId) => orElse(undefined, async () => void (await server.call(pathTo(runId), { method: 'DELETE' }))),
    watch: (listener) =>
      watchServer({
        server,
        // A whole page, since any run of it may be deleted.
        read: async (signal) => asPage(await server.call(`runs?limit=${watched}`, { signal })).runs,
        onChange: listener,
      }),
  }
}

/** The number of runs that are requested at once. */
const most = 100
/** The number of runs that are compared while a list is shown: a page of `useHistory()`. */
const watched = 30

function pathTo(runId: string): string {
  checkStoredKey(runId)
  return `runs/${encodeURIComponent(runId)}`
}
const rootOf = (runId: string): string => runId.split('/')[0] ?? runId

/** Returns the log of a run from a file, which contains its child runs. */
function logIn(file: SealedRunFile, runId: string): readonly Event[] {
  const { events, below } = checkRunFile(file)
  const isOf = ([started]: readonly Event[]): boolean => started?.type === 'started' && started.runId === runId
  return [events, ...below].find(isOf) ?? []
}

const positionOf = (before: ListOptions['before']): string | undefined =>
  typeof before === 'object' ? `${before.updatedAt},${before.runId}` : before?.toString()

/** Returns a default if the run does not exist: in a journal, such a run has no events. */
async function orElse<T>(nothing: T, request: () => Promise<T>): Promise<T> {
  try {
    return await request()
  } catch (error) {
    if (isAgentError(error) && error.code === 'run_unknown') return nothing
    throw error
  }
}
