import type { LanguageModelV4 } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { keepMeanwhile } from '../engine/wait.ts'
import { AgentError, toFailure } from '../error.ts'
import { sleep } from '../host.ts'
import type { Attempts } from '../journal.ts'
import { assertOption } from '../options.ts'
import type { RunContext } from '../run.ts'
import { noUsage } from '../usage.ts'
import { type Attempt, type Attempted, ModelCall, type ModelTurn, modelIdOf, type TurnRequest } from './callModel.ts'
import { retryDelay } from './retry.ts'
import { defaultCaps, type TurnCaps } from './turnReader.ts'

/** The number of retries of a model call before it fails. */
export interface Persistence {
  /** Further attempts with one model after a failure that may pass; 2 by default. */
  retries?: number
  /**
   * Milliseconds before the first further attempt; doubled for each one after. A server's `retry-after` overrides it.
   */
  retryDelayMs?: number
  caps?: Partial<TurnCaps>
}

export const defaultPersistence: Persisting = { retries: 2, retryDelayMs: 1_000, caps: defaultCaps }

/** Validates the options and applies the defaults. */
export function persisting({ retries, retryDelayMs, caps }: Persistence): Persisting {
  const defaults = defaultPersistence
  assertOption((retries ?? 0) >= 0, DEV && `retries is ${retries}. Use 0 or more.`)
  for (const [name, cap] of Object.entries(caps ?? {}))
    assertOption(name in defaultCaps && cap > 0, DEV && `caps: { ${name}: ${cap} } is no limit. Use a number above 0.`)
  return {
    retries: retries ?? defaults.retries,
    retryDelayMs: retryDelayMs ?? defaults.retryDelayMs,
    caps: { ...defaults.caps, ...caps },
  }
}
export type Persisting = Required<Persistence> & { readonly caps: TurnCaps }

/** The request to the models, and its retries. */
export interface Prompting extends Omit<Persisting, 'caps'>, TurnRequest {
  /** The key of the first attempt, which is an effect. */
  readonly key: string
  readonly models: readonly LanguageModelV4[]
}

const firstAttempt: Attempts = { index: 0, attempt: 0, spent: noUsage }

/** Calls each model in turn, and retries temporary failures. A resumed turn continues its count. */
export async function askModels(run: RunContext, prompting: Prompting): Promise<ModelTurn> {
  const { models, receiver } = prompting
  const saved = receiver ? undefined : keepMeanwhile(run)
  if (saved) await saved
  let { index, attempt, spent }: Attempts = run.engine?.attemptsOf(run, prompting) ?? firstAttempt
  let model = models[index] ?? missing(run)
  for (;;) {
    const key = attemptKey(prompting, { index, attempt })
    const { outcome, retryAfterMs } = await performAttempt(run, key, { prompting, model, spent })
    const { error } = outcome
    if (!error || run.abortSignal.aborted) return outcome
    const again = error.retryable && attempt < prompting.retries
    const delay = again ? retryDelay(retryAfterMs, { attempt, baseMs: prompting.retryDelayMs }) : undefined
    const next = delay === undefined ? models[++index] : model
    if (!next) return outcome
    attempt++
    spent = outcome.usage
    const inMs = delay ?? 0
    await run.engine?.noteAttempts(run, prompting, { index, attempt: delay === undefined ? 0 : attempt, spent })
    if (receiver) run.live({ type: 'retrying', attempt, inMs, error, model: modelIdOf(next) })
    if (inMs > 0) await sleep(run, { key: `${attemptKey(prompting, { index, attempt })}/delay`, ms: inMs })
    // The part that had arrived is void by now, so the stopped turn has none of it.
    if (run.abortSignal.aborted) return { ...outcome, parts: [], error: toFailure(run.abortSignal.reason, 'stopped') }
    if (delay === undefined) attempt = 0
    model = next
  }
}

const performAttempt = (run: RunContext, key: string, attempt: Attempt): PromiseLike<Attempted> =>
  run.host.perform({ kind: 'model', key, name: attempt.model.modelId, request: attempt.prompting.request }, () =>
    new ModelCall(run, attempt).outcome(),
  )

/** Returns the key of an attempt. The first one has the key of the turn. */
const attemptKey = ({ key }: Prompting, { index, attempt }: Pick<Attempts, 'index' | 'attempt'>): string =>
  index + attempt === 0 ? key : `${key}/${index}/${attempt}`

function missing({ agent: { name } }: RunContext): never {
  throw new AgentError(
    'options_invalid',
    DEV && `A step of the agent "${name}" asks a model, and it has none. Give it one.`,
  )
}
