import { AgentError, type Host } from '@interleave/core'
import { fromFailure } from '@interleave/core/internal'
import { Calls } from '../calls.ts'
import type { PageMessage, Reply, TakeRequest } from '../messages.ts'
import type { LogPosition } from '../owner.ts'
import type { Request, Transport } from '../remoteRuns.ts'
import { until } from '../wait.ts'

export interface WorkerRequestsOptions {
  readonly host: Pick<Host, 'newId' | 'timer'>
  /** Returns false if no worker can have the message yet. */
  readonly sendMessage: (message: PageMessage) => boolean
  /** Returns the part of a run's log that this page has. */
  readonly positionOf: (runId: string) => LogPosition | undefined
}

type AnyRequest = Request | TakeRequest

/** Milliseconds after which a command counts as refused by a worker that seems to be alive. */
const answerMs = 60_000

/** The requests of a page to its worker, each until it is answered: by this worker, or by one that is created again. */
export class WorkerRequests implements Transport {
  readonly #options: WorkerRequestsOptions
  readonly #calls: Calls<AnyRequest, number>
  /** The requests that a worker may have received. */
  readonly #sent = new WeakSet<AnyRequest>()
  /** Sends the other ones. A run that was closed meanwhile starts all the same. */
  readonly #unsent: (() => void)[] = []

  constructor(options: WorkerRequestsOptions) {
    this.#options = options
    this.#calls = new Calls(options.host.newId, (id, request, signal) => this.#post(id, request, signal))
  }

  get areOpen(): boolean {
    return this.#calls.openCalls.length > 0
  }

  sendRequest(request: Request, signal?: AbortSignal): Promise<number> {
    const { host } = this.#options
    const { answer } = this.#calls.sendCall(request, { signal })
    return isPatient(request) ? answer : until(answer, { ms: answerMs, onTimeout: silent, host })
  }

  /** Takes a call of the worker, before it runs here. Resolves with false if the worker may have given it up. */
  takeCall(call: string): Promise<boolean> {
    return this.#calls.sendCall({ type: 'take', call }).answer.then(
      () => true,
      () => false,
    )
  }

  cancelRequests(runId: string, error: Error): void {
    this.#calls.rejectCalls((request) => ('run' in request && request.run === runId ? error : undefined))
  }

  receiveReply(reply: Reply): void {
    if (reply.type === 'done') this.#calls.resolveCall(reply.id, reply.length)
    else this.#calls.rejectCall(reply.id, fromFailure(reply.failure))
  }

  /** Sends to a worker that knows nothing of this page: what `sendFirst` sends, then the open requests. */
  sendAgain(sendFirst: () => void): void {
    const again = this.#calls.openCalls.filter(([, request]) => this.#sent.has(request))
    sendFirst()
    this.#calls.resendCalls(again)
    for (const send of this.#unsent.splice(0)) send()
  }

  /** Ends the requests that are for one visit: the worker has given up its calls of this page, and shows it no run. */
  endVisit(reason: AgentError): void {
    for (const [id, { type }] of this.#calls.openCalls) {
      if (type === 'take') this.#calls.rejectCall(id, reason)
      if (type === 'leave') this.#calls.resolveCall(id, 0)
    }
  }

  failRequests(fault: AgentError): void {
    this.#calls.rejectCalls(() => fault)
  }

  #post(id: string, request: AnyRequest, signal?: AbortSignal): void {
    const { sendMessage, positionOf } = this.#options
    const isSent = this.#sent.has(request)
    const again = request.type === 'start' && isSent && { again: true }
    const after = request.type === 'attach' || again ? positionOf(request.run) : undefined
    if (sendMessage({ ...request, ...again, ...(after && { after }), id })) this.#sent.add(request)
    else if (!isSent) this.#unsent.push(() => this.#postFirst(id, request, signal))
  }

  #postFirst(id: string, request: AnyRequest, signal: AbortSignal | undefined): void {
    if (signal?.aborted) return
    try {
      this.#post(id, request, signal)
    } catch (error) {
      // A part of it cannot be cloned.
      this.#calls.rejectCall(id, error)
    }
  }
}

/** Returns true for a request that waits for as long as it takes: the page shows that, or no user waits for it. */
const isPatient = (request: Request): boolean =>
  request.type !== 'attach' && (request.type !== 'command' || request.command.type === 'say')

function silent(): never {
  const words = 'The worker has not answered for a minute. Try again, or load the page again.'
  throw new AgentError('worker_failed', words, { retryable: true })
}
