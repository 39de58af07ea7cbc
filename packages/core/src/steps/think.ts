import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { demand } from '../demand.ts'
import { AgentError, type Failure, toFailure } from '../error.ts'
import type { Thought } from '../event.ts'
import { sleep } from '../host.ts'
import { emptyTurn, type TurnCaps, type TurnDraft, turnReader } from '../model.ts'
import { awaitsThought } from '../openCalls.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { addUsage, noUsage, toUsage, type Usage } from '../usage.ts'
import { asCutOff, cutOff } from './cutOff.ts'
import { inputTeller } from './inputTeller.ts'
import { type Reading, readStream } from './readStream.ts'
import { retryDelay } from './retryDelay.ts'
import { toolDefinitions } from './toolDefinitions.ts'

export type ModelSettings = Omit<LanguageModelV4CallOptions, 'prompt' | 'tools' | 'abortSignal' | 'includeRawChunks'>

export interface ThinkOptions {
  /** Temperature, output tokens, reasoning effort and the rest of the model's own settings. */
  settings?: ModelSettings
  /** Further attempts with one model after a failure that may pass; 2 by default. */
  retries?: number
  /** Milliseconds before the first further attempt; doubled for each one after. A server's `retry-after` goes first. */
  retryDelayMs?: number
  caps?: Partial<TurnCaps>
}

const defaultCaps: TurnCaps = { maxCharacters: 2_000_000, maxParts: 1_000_000, maxMs: 600_000, idleMs: 120_000 }

/** Asks the model when there is something it has not answered yet. */
export function think({ settings = {}, retries = 2, retryDelayMs = 1_000, caps }: ThinkOptions = {}): Step {
  demand(retries >= 0, `think({ retries: ${retries} }): use 0 or more.`)
  const options = { settings, retries, retryDelayMs, caps: { ...defaultCaps, ...caps } }

  return async (run) => {
    if (!awaitsThought(run.state)) return undefined
    const iteration = run.state.iteration + 1
    run.live({ type: 'thinking', iteration })

    const definitions = toolDefinitions(run.agent)
    const tools = definitions instanceof Promise ? await definitions : definitions
    const heard = run.state.seq
    const call: LanguageModelV4CallOptions = {
      ...options.settings,
      prompt: run.prompt.messages(run.state, instructionsOf(run)),
      abortSignal: run.abortSignal,
      ...(tools.length > 0 && { tools, toolChoice: options.settings.toolChoice ?? { type: 'auto' } }),
    }
    const thought = await askModels(run, call, options)
    run.emit({ type: 'thought', heard, ...thought })
    return thought.error && toSignal(thought.error)
  }
}

function toSignal(error: Failure): Signal {
  return error.code === 'stopped' ? { type: 'stopped', reason: error.message } : { type: 'failed', error }
}

const instructionsOf = ({ agent: { instructions }, state }: RunContext): string | undefined =>
  typeof instructions === 'function' ? instructions(state) : instructions

type Settings = Required<ThinkOptions> & { caps: TurnCaps }
type TurnOutcome = Omit<Thought, 'type' | 'heard'>

/** Each model in turn, each as often as its failures are of the passing kind. */
async function askModels(run: RunContext, call: LanguageModelV4CallOptions, options: Settings): Promise<TurnOutcome> {
  const { models } = run.agent
  let index = 0
  let attempt = 0
  let spent = noUsage
  // An agent has a model: agent() saw to it.
  let model = models[0] as LanguageModelV4
  for (;;) {
    const { outcome, thrown } = await attemptTurn(run, { model, call, caps: options.caps, spent })
    const { error } = outcome
    if (!error || error.code === 'stopped') return outcome
    const again = error.retryable && attempt < options.retries
    const delay = again ? retryDelay(thrown, { attempt, baseMs: options.retryDelayMs, now: run.host.now() }) : undefined
    const next = delay === undefined ? models[++index] : model
    if (!next) return outcome
    attempt++
    spent = outcome.usage
    const inMs = delay ?? 0
    run.live({ type: 'retrying', attempt, inMs, error, model: idOf(next) })
    if (inMs > 0) await sleep(run.host, inMs, run.abortSignal)
    // What had arrived is void by now, so the stopped turn has none of it.
    if (run.abortSignal.aborted) return { ...outcome, parts: [], error: toFailure(run.abortSignal.reason, 'stopped') }
    if (delay === undefined) attempt = 0
    model = next
  }
}

const idOf = ({ provider, modelId }: LanguageModelV4): { provider: string; modelId: string } => ({ provider, modelId })

interface Attempt extends Pick<Reading, 'model' | 'call' | 'caps'> {
  /** What the attempts before it used up. */
  readonly spent: Usage
}

/** One call of one model: what came of it, and what went wrong as it was thrown, which may say when to try again. */
async function attemptTurn(run: RunContext, attempt: Attempt): Promise<{ outcome: TurnOutcome; thrown: unknown }> {
  const turn = emptyTurn()
  const startedAt = run.host.now()
  const { model, spent } = attempt
  const reading = { ...attempt, run, turn, read: turnReader(turn, inputTeller(run)) }
  const effect = { key: `${run.state.iteration + 1}/model`, kind: 'model', name: model.modelId } as const
  let thrown: unknown
  try {
    await run.host.perform(effect, () => readStream(reading))
    thrown = checkEnd(turn)
  } catch (error) {
    thrown = run.abortSignal.aborted ? run.abortSignal.reason : asCutOff(error)
  }
  return { outcome: toOutcome(run, { turn, thrown, model, startedAt, spent }), thrown }
}

function checkEnd(turn: TurnDraft): AgentError | undefined {
  const { finish } = turn
  if (finish?.unified !== 'error') return cutOff(turn)
  const why = finish.raw ? ` (${finish.raw})` : ''
  return new AgentError('model_failed', `The model failed without an explanation${why}.`, { retryable: true })
}

interface Ended {
  readonly turn: TurnDraft
  readonly thrown: unknown
  readonly model: LanguageModelV4
  readonly startedAt: number
  readonly spent: Usage
}

function toOutcome({ agent, host }: RunContext, { turn, thrown, model, startedAt, spent }: Ended): TurnOutcome {
  const { characters: _, received: __, ...brought } = turn
  const { parts } = brought
  return {
    ...brought,
    model: idOf(model),
    parts: parts.length > 0 ? parts.map(flatten) : parts,
    usage: withSpent(toUsage(turn.usage, idOf(model), agent.prices), spent),
    ms: host.now() - startedAt,
    ...(thrown !== undefined && { error: toFailure(thrown, 'model_failed') }),
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
