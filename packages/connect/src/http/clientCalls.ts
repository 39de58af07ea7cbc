import { AgentError, type Host } from '@interleave/core'
import { type ConnectionState, toFailure } from '@interleave/core/internal'
import type { Answer } from '../messages.ts'
import { PageCalls, type PageFunction } from '../pageCalls.ts'
import { type ClientCall, clientGraceMs, type ToolAnswer } from '../toolCalls.ts'
import { elapsedMs } from '../wait.ts'
import { isTaken as isAccepted, takenShape } from './answers.ts'
import type { Server } from './server.ts'
import { mayPass } from './serverErrors.ts'

export interface ClientCallsOptions {
  readonly tools: Readonly<Record<string, PageFunction>>
  readonly server: Pick<Server, 'call'>
  readonly host: Pick<Host, 'timer' | 'now' | 'onUnload'>
  readonly client: string
}

interface Call {
  readonly runId: string
  /** The answer, if the server has not accepted it yet. */
  unaccepted: ToolAnswer | undefined
  /** The time when the server last let this page run it; undefined before. */
  takenAt?: number
  /** The time when a stream was opened since then: the server could have sent the call again. */
  offeredAt?: number | undefined
}

/**
 * Milliseconds of streams without the call, after which no server sends it again: each has given up the page, or
 * noticed that its stream was dead.
 */
const forgetMs = 900_000

/** Milliseconds after which a call is taken again, to show that this page is alive. */
const takeAgainMs = 4_000

/** Executes the calls of a server in this page: each once, however often the server sends it. */
export class ClientCalls {
  readonly #options: ClientCallsOptions
  readonly #pageCalls: PageCalls
  readonly #open = new Map<string, Call>()
  /** Answered calls by run: the current stream may send them once more. */
  readonly #answered = new Map<string, Set<string>>()
  /** The functions that cancel the end of a run's calls, for runs without a stream. */
  readonly #ends = new Map<string, () => void>()

  constructor(options: ClientCallsOptions) {
    this.#options = options
    this.#pageCalls = new PageCalls({
      host: options.host,
      tools: options.tools,
      sendAnswer: (answer) => void this.#answer(answer),
      take: (call) => this.#take(call),
    })
  }

  receiveCall(runId: string, message: ClientCall): void {
    const { type, call } = message
    const known = this.#open.get(call)
    if (type === 'abort') {
      this.#endCall(call)
      this.#pageCalls.receiveCall(message)
    } else if (known) {
      if (known.unaccepted) void this.#answer(known.unaccepted)
    } else if (!this.#answered.get(runId)?.has(call)) {
      this.#open.set(call, { runId, unaccepted: undefined })
      this.#pageCalls.receiveCall(message)
    }
  }

  /**
   * Follows the connection of a run's stream. After a long time without a stream, its calls end: the server may run them
   * again elsewhere.
   */
  followStream(runId: string, connection: ConnectionState | undefined): void {
    // The server does not send answered calls on the next stream.
    if (connection === undefined || connection.type === 'connecting') this.#answered.delete(runId)
    if (connection?.type === 'connected') {
      this.#forgetAnswers()
      this.#ends.get(runId)?.()
      this.#ends.delete(runId)
    } else if (!this.#ends.has(runId) && this.#runningOf(runId).length > 0) {
      this.#ends.set(
        runId,
        this.#options.host.timer(clientGraceMs, () => this.#interruptCalls(runId)),
      )
    }
  }

  /** Shows that this page executes its calls, since the server is. Ends those that the server has given up. */
  confirmCalls(runId: string): void {
    const now = this.#options.host.now()
    for (const call of this.#runningOf(runId)) {
      const takenAt = this.#open.get(call)?.takenAt
      if (takenAt === undefined || elapsedMs(takenAt, now) < takeAgainMs) continue
      const end = (isTaken: boolean): void => {
        if (!isTaken) this.#interruptCall(call)
      }
      this.#postTake(call).then(end, () => {})
    }
  }

  /** Asks whether this page may run a call. The server may have given it up, so that another page runs it. */
  async #take(call: string): Promise<boolean> {
    const isTaken = await this.#postTake(call).catch(() => false)
    if (!isTaken) this.#open.delete(call)
    return isTaken
  }

  async #postTake(call: string): Promise<boolean> {
    const open = this.#open.get(call)
    if (!open) return false
    open.takenAt = this.#options.host.now()
    return this.#post(open.runId, { call, takes: true })
  }

  /** Forgets the answers that no server needs any more. */
  #forgetAnswers(): void {
    const now = this.#options.host.now()
    for (const [call, open] of this.#open) {
      if (!open.unaccepted) continue
      open.offeredAt ??= now
      if (now - open.offeredAt >= forgetMs) this.#open.delete(call)
    }
  }

  #runningOf(runId: string): readonly string[] {
    return [...this.#open].flatMap(([call, open]) => (open.runId === runId && !open.unaccepted ? [call] : []))
  }

  #interruptCalls(runId: string): void {
    this.#ends.delete(runId)
    for (const call of this.#runningOf(runId)) this.#interruptCall(call)
  }

  #interruptCall(call: string): void {
    const lost = new AgentError(
      'tool_interrupted',
      'The server was unreachable for too long, and may have given up this call.',
    )
    const error = toFailure(lost, 'tool_interrupted')
    this.#pageCalls.receiveCall({ type: 'abort', call, error })
  }

  #endCall(call: string): void {
    const open = this.#open.get(call)
    if (!open) return
    this.#open.delete(call)
    this.#answered.set(open.runId, (this.#answered.get(open.runId) ?? new Set()).add(call))
  }

  async #answer(answer: Answer): Promise<void> {
    const open = this.#open.get(answer.call)
    if (!open || (answer.type !== 'output' && answer.type !== 'failed')) return
    open.unaccepted = undefined
    open.offeredAt = undefined
    // A server without the answer sends the call again, or gives up the page.
    if (await this.#sendAnswer(open.runId, answer).catch(() => false)) this.#endCall(answer.call)
    else open.unaccepted = answer
  }

  async #sendAnswer(runId: string, answer: ToolAnswer): Promise<boolean> {
    const { call } = answer
    if (answer.type === 'failed') return this.#post(runId, { call, error: answer.error })
    try {
      return await this.#post(runId, { call, output: answer.value })
    } catch (error) {
      if (mayPass(error)) throw error
      // The server rejects it, for example because the output is too large. The model gets that as the error, or the
      // run would wait forever.
      return this.#post(runId, { call, error: toFailure(error, 'tool_failed') })
    }
  }

  async #post(runId: string, body: object): Promise<boolean> {
    const { server, client } = this.#options
    const path = `runs/${encodeURIComponent(runId)}/answers?client=${client}`
    return isAccepted(await server.call(path, { method: 'POST', shape: takenShape, body }))
  }
}
