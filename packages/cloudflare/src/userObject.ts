import { AgentError, localHost } from '@interleave/core'
import { assertOption, checkOptions, noSummary } from '@interleave/core/internal'
import type { RunSummary } from '@interleave/core/journal'
import type { HandlerLimits } from '@interleave/server'
import { checkLimits, json, listRuns, runNames, tooManyRuns, tooManyStreams } from '@interleave/server/internal'
import {
  type Admission,
  type AdmissionRequest,
  askObject,
  inner,
  mayBegin,
  mayWork,
  type ObjectLimits,
  principalOf,
  withProblems,
} from './askObject.ts'

import { answerWithSocket, type DurableContext, type DurableNamespace } from './durableContext.ts'

import { RequestBudget, RunIndex } from './runIndex.ts'

export interface UserObjectOptions {
  /** The objects of `runObject`. */
  runs: DurableNamespace
  /** The same as for `serveRuns`. */
  limits?: ObjectLimits
}

/** The methods that a Durable Object class passes on. */
export interface UserObjectMethods {
  fetch(request: Request): Promise<Response>
  webSocketMessage(): void
  webSocketClose(): void
  webSocketError(): void
}

/** Milliseconds after which a run that is listed as running and has not reported is checked. */
const checkAfterMs = 120_000

/**
 * Returns the methods of a Durable Object for one user. It stores the list of the user's runs and enforces the user's
 * limits globally. Only `serveRuns` and the run objects call it.
 *
 * @example
 * export class UserObject {
 *   constructor(ctx: DurableObjectState, env: Env) {
 *     Object.assign(this, userObject(ctx, { runs: env.RUNS }))
 *   }
 * }
 */
export function userObject(ctx: DurableContext, options: UserObjectOptions): UserObjectMethods {
  checkOptions('userObject()', options, ['runs', 'limits'])
  assertOption(typeof options.runs?.get === 'function', '`runs` of userObject() must be the namespace of runObject().')
  const user = new UserRuns(ctx, options)
  return {
    fetch: withProblems((request) => user.answer(request)),
    webSocketMessage() {},
    webSocketClose() {},
    webSocketError() {},
  }
}

/** The runs of one user, and their limits. */
class UserRuns {
  readonly #ctx: DurableContext
  readonly #runs: DurableNamespace
  readonly #limits: HandlerLimits
  readonly #budget: RequestBudget
  readonly #index: RunIndex
  /** The time of each running run's last report. */
  readonly #reportedAt = new Map<string, number>()

  constructor(ctx: DurableContext, { runs, limits }: UserObjectOptions) {
    this.#ctx = ctx
    this.#runs = runs
    this.#limits = checkLimits(limits)
    this.#budget = new RequestBudget(ctx.storage, this.#limits.requests, localHost.now())
    this.#index = new RunIndex(ctx.storage)
  }

  async answer(request: Request): Promise<Response> {
    const principal = principalOf(request)
    if (principal === undefined)
      throw new AgentError('not_allowed', 'Only serveRuns() and runObject() may call this object.')
    const url = new URL(request.url)
    switch (url.pathname) {
      case inner.admit:
        return json(await this.#admit(principal, (await request.json()) as AdmissionRequest))
      case inner.stream:
        return this.#openStream()
      case inner.runs:
        if (request.method === 'PUT') this.#receiveReport((await request.json()) as RunSummary)
        else this.#index.remove(url.searchParams.get('run') ?? '')
        return json({})
      default:
        this.#budget.takeRequest(localHost.now())
        await this.#repair(principal)
        return listRuns({ url, names: runNames(principal), journal: this.#index })
    }
  }

  async #admit(principal: string, { action, runId }: AdmissionRequest): Promise<Admission> {
    const { atWork } = this.#index
    const { runs } = this.#limits
    this.#budget.takeRequest(localHost.now())
    const isListed = this.#index.has(runId)
    if (!mayWork(action) || atWork.has(runId)) return { isListed }
    if (atWork.size >= runs) await this.#repair(principal)
    if (atWork.size >= runs) throw tooManyRuns(runs)
    if (mayBegin(action)) {
      const now = localHost.now()
      this.#reportedAt.set(runId, now)
      this.#index.expect({ ...noSummary, runId, startedAt: now, updatedAt: now })
    }
    return { isListed }
  }

  #openStream(): Response {
    const { streams } = this.#limits
    if (this.#ctx.getWebSockets().length >= streams) throw tooManyStreams(streams)
    return answerWithSocket((socket) => this.#ctx.acceptWebSocket(socket))
  }

  #receiveReport(summary: RunSummary): void {
    if (summary.signal) this.#reportedAt.delete(summary.runId)
    else this.#reportedAt.set(summary.runId, localHost.now())
    this.#index.put(summary)
  }

  /** Repairs the list if a run could not report its start or end. */
  async #repair(principal: string): Promise<void> {
    const now = localHost.now()
    const due = [...this.#index.atWork].filter((id) => now - (this.#reportedAt.get(id) ?? 0) > checkAfterMs)
    const checkRun = async (runId: string): Promise<void> => {
      const response = await askObject(this.#runs, { name: runId, principal, path: inner.summary })
      if (response.status === 404) this.#index.remove(runId)
      else if (response.ok) this.#receiveReport((await response.json()) as RunSummary)
    }
    await Promise.allSettled(due.map(checkRun))
  }
}
