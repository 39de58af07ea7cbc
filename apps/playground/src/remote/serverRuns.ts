import type { RemoteJournal } from '@interleave/connect/http'
import { AgentError, type Event } from '@interleave/core'
import { type ConnectionState, decorateJournal } from '@interleave/core/internal'
import type { Journal, ListOptions, RunFile, RunSummary } from '@interleave/core/journal'
import { createStore, type StoreApi } from 'zustand/vanilla'
import { type Ledger, readPayments } from '../bank/Bank.ts'
import type { ServedPlace } from '../workers/Place.ts'
import type { AccessCode } from './accessCode.ts'

/** The runs of this user on a server. */
export interface ServerRuns {
  readonly place: ServedPlace
  readonly url: string
  readonly code: AccessCode
  /** The connection to the server, for views of it. */
  readonly reach: StoreApi<ServerReach>
  /** Sent with every request. */
  headers(): Readonly<Record<string, string>>
  list(options?: ListOptions): Promise<readonly ServerSummary[]>
  /** Returns the visible part of a run, sealed by the server. */
  file(runId: string): Promise<RunFile>
  /** Imports a file that the server has exported. */
  bring(file: RunFile, runId: string): Promise<void>
  /** The name of its agent. */
  agentOf(runId: string): Promise<string>
  delete(runId: string): Promise<void>
  /** The payments of the user in its bank. */
  readonly ledger: Ledger
}

export interface ServerReach {
  /** The connection of each run, by its id. */
  readonly connections: Readonly<Record<string, ConnectionState>>
  /** Its runs could not be listed. */
  readonly isLost: boolean
}

/** A run in a list, with its host. */
export interface ServerSummary extends RunSummary {
  readonly place: ServedPlace
}

export interface ServerRunsOptions {
  readonly place: ServedPlace
  readonly url: string
  readonly code: AccessCode
  readonly fetch?: typeof globalThis.fetch
}

/** Milliseconds that one request may take: a list is not worth more. */
const requestTimeoutMs = 8_000
/** Milliseconds between two requests of the ledger, which does not report changes. */
const lookMs = 1_000

export function serverRuns({
  place,
  url,
  code,
  fetch = (...asked) => globalThis.fetch(...asked),
}: ServerRunsOptions): ServerRuns {
  const headers = (): Readonly<Record<string, string>> => ({ authorization: `Bearer ${code.ensure()}` })
  const ask = async (path: string): Promise<Response> => {
    const signal = AbortSignal.timeout(requestTimeoutMs)
    const response = await fetch(`${url}/v1/${path}`, { cache: 'no-store', headers: headers(), signal })
    if (!response.ok) throw await problemOf(response)
    return response
  }
  const reach = createStore<ServerReach>(() => ({ connections: {}, isLost: false }))
  /** Loads the journal's code on first use: the list does without it. */
  const journal = async (): Promise<RemoteJournal> =>
    (await import('@interleave/connect/http')).remoteJournal({ url, headers, fetch })
  const lists = new Map<string, readonly ServerSummary[]>()
  return {
    place,
    url,
    code,
    reach,
    headers,
    async list({ limit = 30, before } = {}) {
      const query = new URLSearchParams({
        limit: String(limit),
        ...(typeof before === 'object' && { before: `${before.updatedAt}.${before.runId}` }),
      })
      const path = `runs?${query}`
      // The list of another access code does not count: it has other runs.
      const known = `${code.ensure()} ${path}`
      try {
        const { runs = [] }: { runs?: readonly RunSummary[] } = await (await ask(path)).json()
        lists.set(
          known,
          runs.map((run) => ({ ...run, place })),
        )
        reach.setState({ isLost: false })
      } catch (error) {
        reach.setState({ isLost: true })
        // Keeps the last list, since no newer one arrived.
        if (!lists.has(known)) throw error
      }
      return lists.get(known) ?? []
    },
    file: async (runId) => (await journal()).exportRun(runId),
    bring: async (file, id) => void (await (await journal()).importRun(file, { id })),
    agentOf: async (runId) => String((await (await ask(`runs/${encodeURIComponent(runId)}`)).json()).agent),
    delete: async (runId) => (await journal()).delete(runId),
    ledger: {
      paymentsOf: async (runId) => readPayments(await (await ask(`ledger/${encodeURIComponent(runId)}`)).json()),
      watch(onChange) {
        const timer = setInterval(onChange, lookMs)
        return () => clearInterval(timer)
      },
    },
  }
}

async function problemOf(response: Response): Promise<AgentError> {
  const { code, detail } = Object(await response.json().catch(() => undefined)) as {
    code?: AgentError['code']
    detail?: string
  }
  return new AgentError(code ?? 'remote_failed', detail ?? `The server answered with status ${response.status}.`)
}

/** The runs of this browser and of servers, as one journal to read. Writes go to the one of this browser. */
export function everyRun(journal: Journal, servers: readonly ServerRuns[]): Journal {
  // A browser that never had a run there sends no request.
  const known = servers.filter(({ code }) => code.read() !== undefined)
  if (known.length === 0) return journal
  return decorateJournal(journal, () => ({
    async list(options = {}) {
      const { limit = 50 } = options
      const there = known.map((server) => server.list(options).catch(() => []))
      const lists = await Promise.all([journal.list(options), ...there])
      return lists.flat().toSorted(newestFirst).slice(0, limit)
    },
    async read(runId: string, from = 0): Promise<readonly Event[]> {
      const here = await journal.read(runId, from)
      if (here.length > 0) return here
      for (const server of known) {
        const there = await server.file(runId).catch(() => undefined)
        if (there) return there.events.slice(from)
      }
      return []
    },
  }))
}

/** Compares runs in the order of journals: the newest first, runs of one time by descending id. */
const newestFirst = (a: RunSummary, b: RunSummary): number =>
  b.updatedAt - a.updatedAt || (a.runId < b.runId ? 1 : a.runId > b.runId ? -1 : 0)
