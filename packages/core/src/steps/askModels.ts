import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { demand } from '../demand.ts'
import { AgentError, toFailure } from '../error.ts'
import type { Delta, Thought } from '../event.ts'
import { sleep } from '../host.ts'
import { defaultCaps, emptyTurn, type TurnCaps, type TurnDraft, turnReader } from '../model.ts'
import type { RunContext } from '../run.ts'
import { addUsage, toUsage, type Usage } from '../usage.ts'
import { type Attempts, attemptsOf, noteAttempts } from './attempts.ts'
import { ignore } from './breaker.ts'
import { asCutOff, cutOff } from './cutOff.ts'
import { type Reading, readStream } from './readStream.ts'
import { retryAfter, retryDelay } from './retryDelay.ts'

/** How much is borne of a model before it counts as failed. */
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

/** What models are asked with, and how long it is tried. */
export interface Prompting extends Persisting {
  /** The key of the first attempt, which is an effect. */
  readonly key: string
  readonly models: readonly LanguageModelV4[]
  readonly call: LanguageModelV4CallOptions
  /** Makes what hears of the deltas of one attempt. Without it nobody hears of them, nor of attempts that failed. */
  readonly tell?: () => (delta: Delta) => void
}

/** A finished model call, or the failure of the last that was tried. */
export type Asked = Omit<Thought, 'type' | 'heard'>

/** Each model in turn, each as often as its failures are of the passing kind. A turn that goes on after a crash goes on counting. */
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
  /** What the attempts before it used up. */
  readonly spent: Usage
}

/** What came of one call of one model. */
interface Attempted {
  readonly outcome: Asked
  /** What the server asks for before it is tried again. */
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
 * A text that grew by many deltas is a chain of pieces in memory. A pattern makes it one string; reading a character would
 * do so too, but is left out by engines that optimize, since nobody uses it.
 */
function flatten<P extends TurnDraft['parts'][number]>(part: P): P {
  if (part.type === 'text' || part.type === 'reasoning') /^/.test(part.text)
  return part
}
