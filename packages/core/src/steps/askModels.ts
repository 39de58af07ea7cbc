import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { AgentError, toFailure } from '../error.ts'
import type { Delta, Thought } from '../event.ts'
import { sleep } from '../host.ts'
import { defaultCaps, emptyTurn, type TurnCaps, type TurnDraft, turnReader } from '../model.ts'
import { demand } from '../options.ts'
import type { RunContext } from '../run.ts'
import { addUsage, toUsage, type Usage } from '../usage.ts'
import { type Attempts, attemptsOf, noteAttempts } from './attempts.ts'
import { ignore } from './breaker.ts'
import { asCutOff, cutOff } from './cutOff.ts'
import { type Reading, readStream } from './readStream.ts'
import { retryAfter, retryDelay } from './retryDelay.ts'

/** The number of retries of a model call before it fails. */
export interface Persistence {
  /** Further attempts with one model after a failure that may pass; 2 by default. */
  retries?: number
  /** Milliseconds before the first further attempt; doubled for each one after. A server's `retry-after` goes first. */
  retryDelayMs?: number
  caps?: Partial<TurnCaps>
}

/** The given, checked, with the defaults for what is not given. */
export function persistence({ retries = 2, retryDelayMs = 1_000, caps }: Persistence): Persisting {
  demand(retries >= 0, `retries is ${retries}. Use 0 or more.`)
  return { retries, retryDelayMs, caps: { ...defaultCaps, ...caps } }
}
type Persisting = Required<Persistence> & { readonly caps: TurnCaps }

/** The request to the models, and its retries. */
export interface Prompting extends Persisting {
  /** The key of the first attempt, which is an effect. */
  readonly key: string
  readonly models: readonly LanguageModelV4[]
  readonly call: LanguageModelV4CallOptions
  /** Creates the receiver of one attempt's deltas. Without it, deltas and failed attempts are not reported. */
  readonly tell?: () => (delta: Delta) => void
}

/** A finished model call, or the failure of the last that was tried. */
export type Asked = Omit<Thought, 'type' | 'heard'>

/** Calls each model in turn, and retries temporary failures. A turn that resumes after a crash continues to count. */
export async function askModels(run: RunContext, prompting: Prompting): Promise<Asked> {
  const { models } = prompting
  let { index, attempt, spent } = attemptsOf(run, prompting)
  let model = models[index] ?? missing(run)
  for (;;) {
    const { outcome, retryAfterMs } = await attemptTurn(run, {
      ...prompting,
      key: attemptKey(prompting, { index, attempt }),
      model,
      spent,
    })
    const { error } = outcome
    if (!error || run.abortSignal.aborted) return outcome
    const again = error.retryable && attempt < prompting.retries
    const delay = again ? retryDelay(retryAfterMs, { attempt, baseMs: prompting.retryDelayMs }) : undefined
    const next = delay === undefined ? models[++index] : model
    if (!next) return outcome
    attempt++
    spent = outcome.usage
    const inMs = delay ?? 0
    await noteAttempts(run, prompting, { index, attempt: delay === undefined ? 0 : attempt, spent })
    if (prompting.tell) run.live({ type: 'retrying', attempt, inMs, error, model: idOf(next) })
    if (inMs > 0) await sleep(run, { key: `${attemptKey(prompting, { index, attempt })}/delay`, ms: inMs })
    // What had arrived is void by now, so the stopped turn has none of it.
    if (run.abortSignal.aborted) return { ...outcome, parts: [], error: toFailure(run.abortSignal.reason, 'stopped') }
    if (delay === undefined) attempt = 0
    model = next
  }
}

/** Of the first attempt the key of the turn. */
const attemptKey = ({ key }: Prompting, { index, attempt }: Pick<Attempts, 'index' | 'attempt'>): string =>
  index + attempt === 0 ? key : `${key}/${index}/${attempt}`

function missing({ agent: { name } }: RunContext): never {
  throw new AgentError('options_invalid', `A step of the agent "${name}" asks a model, and it has none. Give it one.`)
}

const idOf = ({ provider, modelId }: LanguageModelV4): { provider: string; modelId: string } => ({ provider, modelId })

interface Attempt extends Pick<Reading, 'model'>, Prompting {
  /** The usage of the earlier attempts. */
  readonly spent: Usage
}

/** The outcome of one call of one model. */
interface Attempted {
  readonly outcome: Asked
  /** The delay that the server requests before a retry. */
  readonly retryAfterMs?: number
}

async function attemptTurn(run: RunContext, attempt: Attempt): Promise<Attempted> {
  const { key, model, call } = attempt
  const { abortSignal: _, ...request } = call
  return run.host.perform({ kind: 'model', key, name: model.modelId, request }, () => callModel(run, attempt))
}

async function callModel(run: RunContext, { model, call, caps, spent, tell }: Attempt): Promise<Attempted> {
  const turn = emptyTurn()
  const startedAt = run.host.now()
  const reading = { model, call, caps, run, turn, read: turnReader(turn, tell?.() ?? ignore, caps) }
  const ended = await endOf(reading)
  const outcome = toOutcome(run, { turn, ended, model, startedAt, spent })
  const retryAfterMs = ended && retryAfter(ended.error, run.host.now())
  return retryAfterMs === undefined ? { outcome } : { outcome, retryAfterMs }
}

/** Why a turn is no whole one. Boxed, since anything may be thrown, also nothing. */
interface Failed {
  readonly error: unknown
}

async function endOf(reading: Reading): Promise<Failed | undefined> {
  const { abortSignal } = reading.run
  try {
    await readStream(reading)
  } catch (error) {
    return { error: abortSignal.aborted ? abortSignal.reason : asCutOff(error) }
  }
  const error = checkEnd(reading.turn)
  return error && { error }
}

function checkEnd(turn: TurnDraft): AgentError | undefined {
  const { finish } = turn
  if (finish?.unified !== 'error') return cutOff(turn)
  const why = finish.raw ? ` (${finish.raw})` : ''
  return new AgentError('model_failed', `The model failed without an explanation${why}.`, { retryable: true })
}

interface Ended {
  readonly turn: TurnDraft
  readonly ended: Failed | undefined
  readonly model: LanguageModelV4
  readonly startedAt: number
  readonly spent: Usage
}

function toOutcome({ agent, host }: RunContext, { turn, ended, model, startedAt, spent }: Ended): Asked {
  const { characters: _, bytes: __, received: ___, ...brought } = turn
  const { parts } = brought
  return {
    ...brought,
    model: idOf(model),
    parts: parts.length > 0 ? parts.map(flatten) : parts,
    usage: withSpent(toUsage(turn.usage, idOf(model), agent.prices), spent),
    ms: host.now() - startedAt,
    ...(ended && { error: toFailure(ended.error, 'model_failed') }),
  }
}

/** A turn is one turn, however many attempts of it had to be paid for. */
function withSpent(usage: Usage, spent: Usage): Usage {
  if (spent.inputTokens + spent.outputTokens === 0) return usage
  return { ...addUsage(usage, spent), unpricedTurns: Math.max(usage.unpricedTurns, spent.unpricedTurns) }
}

/**
 * Flattens a text that grew by many deltas, which is a chain of segments in memory. A pattern flattens it; optimizing
 * engines would skip an unused character access.
 */
function flatten<P extends TurnDraft['parts'][number]>(part: P): P {
  if (part.type === 'text' || part.type === 'reasoning') /^/.test(part.text)
  return part
}
