import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'
import { AgentError, type Failure, isAgentError, toFailure } from '../error.ts'
import type { Thought } from '../event.ts'
import { sleep } from '../host.ts'
import { emptyTurn, type TurnCaps, type TurnDraft, turnReader } from '../model.ts'
import { awaitsThought } from '../openCalls.ts'
import type { RunContext, Step } from '../run.ts'
import type { Signal } from '../signal.ts'
import { toUsage } from '../usage.ts'
import { asCutOff, cutOff } from './cutOff.ts'
import { readStream } from './readStream.ts'
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
  let outcome: TurnOutcome | undefined
  for (const [index, model] of run.agent.models.entries()) {
    for (let attempt = 0; ; attempt++) {
      const turn = emptyTurn()
      const startedAt = run.host.now()
      const error = await attemptTurn(run, model, call, turn, options.caps)
      outcome = toOutcome(run, model, turn, { startedAt, error })
      if (error === undefined || outcome.error?.code === 'stopped') return outcome
      const now = run.host.now()
      const mayPass = outcome.error?.retryable && attempt < options.retries
      const delay = mayPass ? retryDelay(error, { attempt, baseMs: options.retryDelayMs, now }) : undefined
      const again = delay !== undefined
      const next = again ? model : run.agent.models[index + 1]
      if (!next || !outcome.error) break
      const inMs = delay ?? 0
      run.live({ type: 'retrying', attempt: attempt + 1, inMs, error: outcome.error, model: idOf(next) })
      if (inMs > 0) await sleep(run.host, inMs, run.abortSignal)
      // What had arrived is void by now, so the stopped turn has none of it.
      if (run.abortSignal.aborted) return { ...outcome, parts: [], error: toFailure(run.abortSignal.reason, 'stopped') }
      if (!again) break
    }
  }
  if (!outcome) throw new AgentError('options_invalid', 'The agent has no model.')
  return outcome
}

const idOf = ({ provider, modelId }: LanguageModelV4): { provider: string; modelId: string } => ({ provider, modelId })

/** One call of one model. Gives what went wrong; `turn` holds what arrived. */
async function attemptTurn(
  run: RunContext,
  model: LanguageModelV4,
  call: LanguageModelV4CallOptions,
  turn: TurnDraft,
  caps: TurnCaps,
): Promise<unknown> {
  const effect = { key: `${run.state.iteration + 1}/model`, kind: 'model', name: model.modelId } as const
  const read = turnReader(turn, run.live)
  try {
    await run.host.perform(effect, () => readStream({ run, model, call, turn, read, caps }))
    return checkEnd(turn)
  } catch (error) {
    return run.abortSignal.aborted ? run.abortSignal.reason : asCutOff(error)
  }
}

function checkEnd(turn: TurnDraft): AgentError | undefined {
  const { finish, parts } = turn
  if (finish?.unified !== 'error' || parts.length > 0) return cutOff(turn)
  return new AgentError(
    'model_failed',
    `The model failed without an explanation${finish.raw ? ` (${finish.raw})` : ''}.`,
  )
}

function toOutcome(
  { agent, host }: RunContext,
  model: LanguageModelV4,
  turn: TurnDraft,
  { startedAt, error }: { startedAt: number; error: unknown },
): TurnOutcome {
  const { parts, finish, warnings, providerMetadata, responseId } = turn
  return {
    model: idOf(model),
    parts: parts.length > 0 ? parts.map(flatten) : parts,
    usage: toUsage(turn.usage, { provider: model.provider, modelId: model.modelId }, agent.prices),
    ms: host.now() - startedAt,
    ...(finish && { finish }),
    ...(warnings && { warnings }),
    ...(providerMetadata && { providerMetadata }),
    ...(responseId !== undefined && { responseId }),
    ...(error !== undefined && { error: toFailure(error, isAgentError(error) ? error.code : 'model_failed') }),
  }
}

/** A text that grew by many deltas is a chain of pieces in memory; reading into it makes it one string. */
function flatten<P extends TurnDraft['parts'][number]>(part: P): P {
  if (part.type === 'text' || part.type === 'reasoning') part.text.charCodeAt(part.text.length - 1)
  return part
}
