import { AgentError, localHost } from '@interleave/core'
import { assertOption, noSummary } from '@interleave/core/internal'
import type { RunSummary } from '@interleave/core/journal'
import type { HandlerLimits } from '@interleave/server'
import { checkLimits, json, listRuns, runNames, tooMany } from '@interleave/server/internal'
import {
  type Admission,
  type AdmissionAsked,
  askObject,
  inner,
  mayBegin,
  mayWork,
  principalOf,
  withProblems,
} from './askObject.ts'

import { answerWithSocket, type DurableContext, type DurableNamespace } from './durableContext.ts'

import { createRequestRoom, createRunIndex } from './runIndex.ts'

export interface PersonObjectOptions {
  /** The objects of `runObject`. */
  runs: DurableNamespace
  /** The same as for `serveRuns`. */
  limits?: Partial<HandlerLimits>
}

/** The methods that a Durable Object class passes on. */
export interface PersonBehaviour {
  fetch(request: Request): Promise<Response>
  webSocketMessage(): void
  webSocketClose(): void
  webSocketError(): void
}

/** Milliseconds after which a run that is listed as running and has not reported is checked. */
const checkAfterMs = 120_000

/**
 * Makes a Durable Object one user: it has the list of their runs, and enforces their limits globally. Only `serveRuns`
 * and the runs call it.
 *
 * @example
 * export class PersonObject {
 *   constructor(ctx, env) {
 *     Object.assign(this, personObject(ctx, { runs: env.RUNS }))
 *   }
 * }
 */
export function personObject(ctx: DurableContext, { runs, limits: given }: PersonObjectOptions): PersonBehaviour {
  assertOption(typeof runs?.get === 'function', 'personObject({ runs }) needs the namespace of runObject().')
  const limits = checkLimits(given)
  const room = createRequestRoom(ctx.storage, { requests: limits.requests, host: localHost })
  const index = createRunIndex(ctx.storage)
  const heardAt = new Map<string, number>()

  const hear = (summary: RunSummary): void => {
    if (summary.rest) heardAt.delete(summary.runId)
    else heardAt.set(summary.runId, localHost.now())
    index.put(summary)
  }
  /** Repairs the list if a run could not report its start or end. */
  const repair = async (principal: string): Promise<void> => {
    const due = [...index.atWork].filter((id) => localHost.now() - (heardAt.get(id) ?? 0) > checkAfterMs)
    const look = async (runId: string): Promise<void> => {
      const response = await askObject(runs, { name: runId, principal, path: inner.summary })
      if (response.status === 404) index.remove(runId)
      else if (response.ok) hear((await response.json()) as RunSummary)
    }
    await Promise.allSettled(due.map(look))
  }
  const admit = async (principal: string, { action, runId }: AdmissionAsked): Promise<Admission> => {
    room.take()
    const isListed = index.has(runId)
    if (!mayWork(action) || index.atWork.has(runId)) return { isListed }
    if (index.atWork.size >= limits.runs) await repair(principal)
    if (index.atWork.size >= limits.runs) {
      throw tooMany(`${limits.runs} runs may work at once. Wait for one of them, or stop it.`)
    }
    if (mayBegin(action)) {
      heardAt.set(runId, localHost.now())
      const now = localHost.now()
      index.expect({ ...noSummary, runId, startedAt: now, updatedAt: now })
    }
    return { isListed }
  }
  const openStream = (): Response => {
    if (ctx.getWebSockets().length >= limits.streams) {
      throw tooMany(`${limits.streams} streams may be open at once. Close one.`)
    }
    return answerWithSocket((socket) => ctx.acceptWebSocket(socket))
  }

  const answer = async (request: Request): Promise<Response> => {
    const principal = principalOf(request)
    if (principal === undefined) throw new AgentError('not_allowed', 'Only serveRuns() asks here.')
    const url = new URL(request.url)
    switch (url.pathname) {
      case inner.admit:
        return json(await admit(principal, (await request.json()) as AdmissionAsked))
      case inner.stream:
        return openStream()
      case inner.runs:
        if (request.method === 'PUT') hear((await request.json()) as RunSummary)
        else index.remove(url.searchParams.get('run') ?? '')
        return json({})
      default: {
        room.take()
        await repair(principal)
        const { list } = index
        return listRuns({ url, names: runNames(principal), journal: { list } })
      }
    }
  }
  return {
    fetch: withProblems(answer),
    webSocketMessage() {},
    webSocketClose() {},
    webSocketError() {},
  }
}
