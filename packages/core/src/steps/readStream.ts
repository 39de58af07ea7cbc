import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { TurnCaps, TurnDraft } from '../model.ts'
import type { RunContext } from '../run.ts'

export interface Reading {
  run: RunContext
  model: LanguageModelV4
  call: LanguageModelV4CallOptions
  turn: TurnDraft
  read: (part: LanguageModelV4StreamPart) => void
  caps: TurnCaps
}

/**
 * Reads one model stream to its end, with one reader and no stage between: a `TransformStream` costs a browser more per
 * part than everything done here. The caps hold whether or not the model listens to its abort signal.
 */
export async function readStream({ run, model, call, turn, read, caps }: Reading): Promise<void> {
  const guard = watch(run, turn, caps)
  try {
    const streaming = model.doStream(
      call.abortSignal === guard.abortSignal ? call : { ...call, abortSignal: guard.abortSignal },
    )
    guard.onBreak(() => streaming.then(({ stream }) => stream.cancel(), ignore).then(undefined, ignore))
    const { stream } = await Promise.race([streaming, guard.broken])
    const reader = stream.getReader()
    guard.onBreak(() => void reader.cancel().catch(ignore))
    for (;;) {
      const { done, value } = await reader.read()
      if (guard.reason !== undefined) throw guard.reason
      if (done) return
      read(value)
      if (turn.characters > caps.maxCharacters || turn.received > caps.maxParts) guard.break(tooLarge(caps))
    }
  } catch (error) {
    // Whatever ends the turn early ends the stream too, or its connection would stay open.
    guard.break(error)
    throw error
  } finally {
    guard.end()
  }
}

const ignore = (): void => {}

const tooLarge = ({ maxCharacters, maxParts }: TurnCaps): AgentError =>
  new AgentError('model_too_large', `The model's turn is longer than ${maxCharacters} characters or ${maxParts} parts.`)

interface Guard {
  readonly abortSignal: AbortSignal
  /** Rejects when the turn is to end early. */
  readonly broken: Promise<never>
  reason: unknown
  break(reason: unknown): void
  onBreak(callback: () => void): void
  end(): void
}

/** Ends a turn early: on a stop of the run, when its time is up, or when nothing arrives for too long. */
function watch({ abortSignal, host }: RunContext, turn: TurnDraft, { maxMs, idleMs }: TurnCaps): Guard {
  const controller = new AbortController()
  const startedAt = host.now()
  let callback: (() => void) | undefined
  let reject: (reason: unknown) => void = () => {}
  const broken = new Promise<never>((_, refuse) => {
    reject = refuse
  })
  broken.catch(() => {})

  const end = (why: unknown): void => {
    if (guard.reason !== undefined) return
    guard.reason = why
    controller.abort(why)
    reject(why)
    callback?.()
  }
  // One timer a fifth of the idle time long, instead of one per part: a stall is seen at most that much late.
  let seen = turn.received
  let lastAt = startedAt
  let cancel: () => void = () => {}
  const tick = (): void => {
    const now = host.now()
    if (turn.received !== seen) {
      seen = turn.received
      lastAt = now
    }
    if (now - startedAt >= maxMs) end(timeout('model_timeout', `The model took longer than ${maxMs} ms.`))
    else if (now - lastAt >= idleMs) end(timeout('model_idle', `The model sent nothing for ${idleMs} ms.`))
    else cancel = host.timer(Math.min(idleMs / 5, maxMs), tick)
  }
  cancel = host.timer(Math.min(idleMs / 5, maxMs), tick)
  const stop = (): void => end(abortSignal.reason)
  const guard: Guard = {
    abortSignal: controller.signal,
    broken,
    reason: undefined,
    break: end,
    onBreak(then: () => void) {
      callback = then
      if (guard.reason !== undefined) then()
    },
    end() {
      cancel()
      abortSignal.removeEventListener('abort', stop)
    },
  }
  if (abortSignal.aborted) stop()
  abortSignal.addEventListener('abort', stop)
  return guard
}

const timeout = (code: 'model_timeout' | 'model_idle', message: string): AgentError =>
  new AgentError(code, message, { retryable: true })
