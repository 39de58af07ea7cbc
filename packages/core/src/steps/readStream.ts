import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { TurnCaps, TurnDraft } from '../model.ts'
import type { RunContext } from '../run.ts'
import { Breaker, ignore } from './breaker.ts'
import { breather } from './wait.ts'

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
export async function readStream(reading: Reading): Promise<void> {
  const { run, model, call } = reading
  const breaker = new Breaker(run.abortSignal)
  const unwatch = watch(breaker, reading)
  let reader: Reader | undefined
  try {
    const { abortSignal } = breaker
    const { stream, response } = await breaker.race(Promise.resolve(model.doStream({ ...call, abortSignal })), leave)
    reader = stream.getReader()
    if (isPage(response?.headers)) throw new AgentError('model_failed', pageInstead)
    await breaker.race(readParts(reader, breaker, reading), ignore)
  } catch (error) {
    // Whatever ends the turn early ends the stream too, or its connection would stay open.
    breaker.break(error)
    throw error
  } finally {
    if (breaker.broken) quietly(() => reader?.cancel())
    unwatch()
    breaker.end()
  }
}

/** Many servers answer what they do not know with the page of an app, and status 200. */
const isPage = (headers: Readonly<Record<string, string>> | undefined): boolean =>
  headers?.['content-type']?.startsWith('text/html') === true

const pageInstead = "The model's address answers with a web page. Check the `baseURL` of its provider."

type Reader = ReadableStreamDefaultReader<LanguageModelV4StreamPart>

/** Takes nothing more once the turn is given up. A stream that is always ready leaves the page time for other work. */
async function readParts(reader: Reader, breaker: Breaker, { run, read }: Reading): Promise<void> {
  const breathe = breather(() => run.host.now(), 16)
  for (;;) {
    const { done, value } = await reader.read()
    if (done || breaker.broken) return
    read(value)
    const pause = breathe()
    if (pause) await pause
  }
}

const leave = ({ stream }: LanguageModelV4StreamResult): void => quietly(() => stream.cancel())

/** Runs foreign code without waiting for it or for its errors. */
const quietly = (work: () => unknown): void => void Promise.resolve().then(work).catch(ignore)

/** Gives the turn up when its time is up, or when nothing arrives for too long. Returns what ends the watch. */
function watch(breaker: Breaker, { run: { host }, turn, caps: { maxMs, idleMs } }: Reading): () => void {
  const startedAt = host.now()
  // One timer a fifth of the idle time long, instead of one per part: a stall is seen at most that much late.
  const interval = Math.min(idleMs / 5, maxMs)
  let seen = turn.received
  let lastAt = startedAt
  const tick = (): void => {
    const now = host.now()
    if (turn.received !== seen) {
      seen = turn.received
      lastAt = now
    }
    if (now - startedAt >= maxMs) breaker.break(timeout('model_timeout', `The model took longer than ${maxMs} ms.`))
    else if (now - lastAt >= idleMs) breaker.break(timeout('model_idle', `The model sent nothing for ${idleMs} ms.`))
    else cancel = host.timer(interval, tick)
  }
  let cancel = host.timer(interval, tick)
  return () => cancel()
}

const timeout = (code: 'model_timeout' | 'model_idle', message: string): AgentError =>
  new AgentError(code, message, { retryable: true })
