import { type Page, pageRegistry } from '@interleave/connect/internal'
import { type Agent, AgentError, type Listener } from '@interleave/core'

import { assertOption, checkOptions, checkWholeFile, decorateJournal, putLogs } from '@interleave/core/internal'
import { exportRun, memoryJournal, type RunSummary } from '@interleave/core/journal'

import {
  type Bodies,
  clientOf,
  type FailureOptions,
  forkedOf,
  forkRun,
  json,
  openHandler,
  type RequestContext,
  runNames,
  sqlJournal,
  unknownRun,
} from '@interleave/server/internal'

import { askObject, inner, type ObjectLimits, principalOf, withProblems } from './askObject.ts'
import type { DurableContext, DurableNamespace, DurableSocket } from './durableContext.ts'

import { WakeSockets } from './wakeSockets.ts'
import { sleepyHost, Watchdog } from './watchdog.ts'

export interface RunObjectOptions extends FailureOptions {
  agents: readonly Agent[]
  /** Signs the tokens that allow a reply, as for `createHandler`. */
  secret: string | readonly string[]
  /** The objects of `userObject`. */
  users: DurableNamespace
  /** The same as for `serveRuns`. */
  limits?: ObjectLimits
  /** As for `createHandler`. */
  observers?: readonly Listener[]
  /** As for `createHandler`. A context that `authorize` returns stays in the worker that serves the request. */
  contextOf?: (user: string, runId: string) => unknown
  /** Milliseconds until a run resumes by itself if its object died while it was running; 30,000 by default. */
  watchMs?: number
}

/** The methods that a Durable Object class passes on. */
export interface RunObjectMethods {
  fetch(request: Request): Promise<Response>
  alarm(): Promise<void>
  webSocketMessage(): void
  webSocketClose(socket: DurableSocket): void
  webSocketError(socket: DurableSocket): void
}

/** Milliseconds that a settled run stays in memory. A timer keeps the object there. */
const idleMs = 1_000

/**
 * Returns the methods of a Durable Object that executes one run. Its journal is the object's SQLite, and an alarm
 * resumes it after the object has ended. While the run waits for a user, the object leaves memory even if pages show
 * the run. Only `serveRuns` calls it.
 *
 * @example
 * export class RunObject {
 *   constructor(ctx: DurableObjectState, env: Env) {
 *     Object.assign(this, runObject(ctx, { agents: [guide], secret: env.SECRET, users: env.USERS }))
 *   }
 * }
 */
export function runObject(ctx: DurableContext, options: RunObjectOptions): RunObjectMethods {
  checkOptions('runObject()', options, [
    'agents',
    'secret',
    'users',
    'limits',
    'watchMs',
    'observers',
    'contextOf',
    'onFailure',
    'log',
    'exposeErrors',
  ])
  const { agents, secret, users, limits, watchMs = 30_000, ...others } = options
  assertOption(typeof users?.get === 'function', '`users` of runObject() must be the namespace of userObject().')
  const host = sleepyHost()
  const watchdog = new Watchdog({
    storage: ctx.storage,
    journal: sqlJournal(ctx.storage),
    host,
    watchMs,
    isAlive: (runId) => context.runs.isOpening(runId),
    revive: (runId) => context.runs.openRun(runId),
    report: (summary) => reportTo(users, summary),
    onMore: () => sockets.notifyAll(),
  })
  const { handle, context } = openHandler(
    {
      ...others,
      agents,
      journal: watchdog.journal,
      secret,
      host,
      authorize: principalOf,
      // One run has few of each. The user's object counts them all.
      limits: { ...limits, requests: most, runs: most, streams: most },
    },
    { idleMs, of: 'runObject' },
  )
  if (watchdog.summary) removePages(watchdog.summary.runId)
  const sockets = new WakeSockets(ctx, context.pages)

  const answerInner = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const principal = principalOf(request)
    if (principal === undefined) throw new AgentError('not_allowed', 'Only serveRuns() may call this object.')
    const names = runNames(principal)
    const runId = names.toKept(url.searchParams.get('run') ?? '')
    const requested: RequestContext = { ...context, request, url, principal, names, runId }
    if (url.pathname === inner.fork) return takeFork(requested, (await request.json()) as ForkOrder)
    const { summary } = watchdog
    if (url.pathname === inner.wake) {
      // The caller knows the signal of a settled run. Any other state is new to it.
      const isSame = summary?.signal !== undefined && summary.events === Number(url.searchParams.get('from'))
      return sockets.openSocket(clientOf(url, runId), !isSame)
    }
    if (!summary) throw unknownRun()
    return json(url.pathname === inner.file ? await exportRun(context.journal, runId) : summary)
  }
  const handleInner = withProblems(answerInner, context)

  return {
    fetch: (request) => (new URL(request.url).pathname.startsWith('/inner/') ? handleInner(request) : handle(request)),
    alarm: () => watchdog.onAlarm(),
    webSocketMessage() {},
    webSocketClose: (socket) => sockets.loseSocket(socket),
    webSocketError: (socket) => sockets.loseSocket(socket),
  }
}

const most = Number.MAX_SAFE_INTEGER

/**
 * Removes the pages that the object of a run left in its process when it was evicted: objects share a process. Their
 * clients are gone.
 */
function removePages(runId: string): void {
  const find = (): Page | undefined => pageRegistry.findPage(({ shows }) => shows(runId))
  for (let page = find(); page; page = find()) pageRegistry.removePage(page)
}

async function reportTo(users: DurableNamespace, summary: RunSummary): Promise<void> {
  const [owner = ''] = summary.runId.split('/')
  const { ok } = await askObject(users, {
    name: owner,
    principal: decodeURIComponent(owner),
    method: 'PUT',
    path: inner.runs,
    body: summary,
  })
  if (!ok) throw new AgentError('server_failed', 'The list of runs could not be updated.', { retryable: true })
}

/** A fork of another object's run that continues here. */
interface ForkOrder {
  readonly file: unknown
  readonly body: Bodies['fork']
}

/** Forks the run of a file. The file is read like a journal, without being stored. */
async function takeFork(requested: RequestContext, { file, body }: ForkOrder): Promise<Response> {
  const { journal, names, url } = requested
  const runId = names.toKept(forkedOf(url))
  const origin = memoryJournal()
  const { events, below } = checkWholeFile(file)
  await putLogs(origin, [...below, events])
  const isOfOrigin = (id: string): boolean => id === runId || id.startsWith(`${runId}/`)
  const both = decorateJournal(journal, () => ({
    read: (id, from) => (isOfOrigin(id) ? origin : journal).read(id, from),
    list: (options) => (options?.below === runId ? origin : journal).list(options),
  }))
  return forkRun({ ...requested, journal: both }, body)
}
