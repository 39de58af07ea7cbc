import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { Breaker, ignore, yielder } from '../engine/wait.ts'
import { AgentError, malformed } from '../error.ts'
import type { Delta, Thought } from '../event.ts'
import { elapsedOf, type ModelRequest } from '../host.ts'
import { ownFailure } from '../journal.ts'
import type { Writable } from '../json.ts'
import type { RunContext } from '../run.ts'
import { addUsage, type ModelId, toUsage, type Usage } from '../usage.ts'
import { asCutOff, cutOff, isOverflow, retryAfter } from './retry.ts'
import { emptyTurn, type TurnCaps, type TurnDraft, TurnReader } from './turnReader.ts'

/** A finished model call, or the failure of the last attempt. */
export type ModelTurn = Omit<Thought, 'type' | 'readUntil'>

/** One attempt to get a turn from one model. */
export interface Attempt {
  readonly model: LanguageModelV4
  readonly prompting: TurnRequest
  /** The usage of the attempts before it. */
  readonly spent: Usage
}

/** The part that all attempts share. */
export interface TurnRequest {
  readonly request: ModelRequest
  readonly caps: TurnCaps
  /** Creates the receiver of one attempt's deltas. Without it, deltas and failed attempts are not reported. */
  readonly receiver?: () => (delta: Delta) => void
}

/** The result of an attempt. */
export interface Attempted {
  readonly outcome: ModelTurn
  /** The delay that the server requests before the next attempt. */
  readonly retryAfterMs?: number
}

/** One call of one model. Its stream has one reader and no stages in between: a `TransformStream` costs more. */
export class ModelCall {
  readonly #run: RunContext
  readonly #attempt: Attempt
  readonly #breaker: Breaker
  readonly #turn: TurnDraft = emptyTurn()
  #reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined = undefined
  /** Milliseconds since it began. */
  #ms = 0
  /** The number of parts at the last check, and the milliseconds since a check found more. */
  #seen = 0
  #silentMs = 0
  /** The latest time that was read from the clock. */
  #latest: number
  #cancelCheck: () => void = ignore

  constructor(run: RunContext, attempt: Attempt) {
    this.#run = run
    this.#attempt = attempt
    this.#breaker = new Breaker(run.abortSignal)
    this.#latest = elapsedOf(run.host)
  }

  /** Never rejects: a failure is part of the outcome. */
  async outcome(): Promise<Attempted> {
    const breaker = this.#breaker
    let ended: Failed | undefined
    this.#checkLater()
    try {
      await breaker.race(this.#read(), ignore)
      ended = failedEnd(this.#turn)
    } catch (error) {
      // If the turn ends early, the stream ends too. Otherwise its connection would stay open.
      breaker.break(error)
      const { abortSignal } = this.#run
      ended = { error: abortSignal.aborted ? abortSignal.reason : asCutOff(error) }
    }
    const reader = this.#reader
    if (breaker.broken && reader) abandon(() => reader.cancel())
    this.#cancelCheck()
    breaker.end()
    return this.#toAttempted(ended)
  }

  /** Reads the stream until the call is abandoned. Yields to other work, even if the stream is always ready. */
  async #read(): Promise<void> {
    const { model, prompting } = this.#attempt
    const { request, caps, receiver } = prompting
    const breaker = this.#breaker
    const given = await model.doStream({ ...request, abortSignal: breaker.abortSignal })
    const { stream, response }: Partial<typeof given> = Object(given)
    if (typeof stream?.getReader !== 'function') throw malformed('no stream: let its doStream() return { stream }')
    if (breaker.broken) return abandon(() => stream.cancel())
    const reader = stream.getReader()
    this.#reader = reader
    if (isPage(response?.headers)) throw new AgentError('model_failed', pageInstead)
    const turn = new TurnReader(this.#turn, receiver?.() ?? ignore, caps)
    const yieldIfDue = yielder(this.#run.host, 16)
    for (;;) {
      const { done, value } = await reader.read()
      if (done || breaker.broken) return
      turn.read(value)
      const pause = yieldIfDue()
      if (pause) await pause
    }
  }

  /**
   * Sets one timer of a fifth of the idle time, instead of one per part: a stall is noticed late by that much at most.
   */
  #checkLater(): void {
    const { maxMs, idleMs } = this.#attempt.prompting.caps
    this.#cancelCheck = this.#run.host.timer(Math.min(idleMs / 5, maxMs), () => this.#check())
  }

  /** Abandons the call when its time is over, or after too long a silence. */
  #check(): void {
    const { maxMs, idleMs } = this.#attempt.prompting.caps
    this.#tick()
    if (this.#turn.received !== this.#seen) {
      this.#seen = this.#turn.received
      this.#silentMs = 0
    }
    if (this.#ms >= maxMs) this.#breaker.break(timeout('model_timeout', `The model took longer than ${maxMs} ms.`))
    else if (this.#silentMs >= idleMs)
      this.#breaker.break(timeout('model_idle', `The model sent nothing for ${idleMs} ms.`))
    else this.#checkLater()
  }

  /** Reads the clock. If it was set back, no time has passed: else a stall would never end. */
  #tick(): void {
    const now = elapsedOf(this.#run.host)
    const passed = Math.max(0, now - this.#latest)
    this.#ms += passed
    this.#silentMs += passed
    this.#latest = now
  }

  #toAttempted(ended: Failed | undefined): Attempted {
    const { agent } = this.#run
    const { parts, usage, finish, warnings, providerMetadata, responseId } = this.#turn
    const model = modelIdOf(this.#attempt.model)
    this.#tick()
    parts.forEach(flatten)
    const outcome: Writable<ModelTurn> = {
      model,
      // Copied, since a list that grew keeps room for sixteen more.
      parts: parts.slice(),
      usage: withSpent(toUsage(usage, model, agent.prices), this.#attempt.spent),
      ms: this.#ms,
    }
    if (finish) outcome.finish = finish
    if (warnings) outcome.warnings = warnings
    if (providerMetadata) outcome.providerMetadata = providerMetadata
    if (responseId !== undefined) outcome.responseId = responseId
    if (!ended) return { outcome }
    const error = ownFailure(ended.error, 'model_failed')
    outcome.error = isOverflow(error) ? { ...error, code: 'context_full' } : error
    const retryAfterMs = retryAfter(ended.error, this.#run.host.now())
    return retryAfterMs === undefined ? { outcome } : { outcome, retryAfterMs }
  }
}

/** The reason why a turn is not complete. Boxed, since any value may be thrown, also undefined. */
interface Failed {
  readonly error: unknown
}

function failedEnd(turn: TurnDraft): Failed | undefined {
  const { finish } = turn
  if (finish?.unified === 'error') {
    const why = finish.raw ? ` (${finish.raw})` : ''
    const message = `The model failed without an explanation${why}.`
    return { error: new AgentError('model_failed', message, { retryable: true }) }
  }
  const error = cutOff(turn)
  return error && { error }
}

export const modelIdOf = ({ provider, modelId }: LanguageModelV4): ModelId => ({ provider, modelId })

/** Adds the usage of failed attempts. The turn itself counts once. */
function withSpent(usage: Usage, spent: Usage): Usage {
  if (spent.inputTokens + spent.outputTokens === 0) return usage
  return { ...addUsage(usage, spent), unpricedTurns: Math.max(usage.unpricedTurns, spent.unpricedTurns) }
}

/** Flattens a text that grew by many deltas into one string. Engines would optimize a mere read of a character away. */
function flatten(part: TurnDraft['parts'][number]): void {
  if (part.type === 'text' || part.type === 'reasoning') /^/.test(part.text)
}

/** Returns true for a page of an app: many servers answer an unknown address with one, and status 200. */
const isPage = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  /^text\/html\b/i.test(headers?.['content-type'] ?? '')

const pageInstead = "The model's address answers with a web page. Check the `baseURL` of its provider."

/** Runs foreign code whose result is not needed, and ignores its exceptions. */
const abandon = (work: () => unknown): void => void Promise.resolve().then(work).catch(ignore)

const timeout = (code: 'model_timeout' | 'model_idle', message: string): AgentError =>
  new AgentError(code, message, { retryable: true })
