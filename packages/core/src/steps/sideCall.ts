import type { LanguageModelV4, LanguageModelV4FunctionTool, LanguageModelV4Message } from '@ai-sdk/provider'
import { checkOptions, DEV } from '#checks'
import { AgentError, type Failure } from '../error.ts'
import { joined } from '../history/scratchpad.ts'
import type { ModelRequest } from '../host.ts'
import { assertOption } from '../options.ts'
import type { ModelSettings } from '../plan.ts'
import type { RunContext } from '../run.ts'
import { noteOf, sideCallOf } from '../state.ts'
import type { Usage } from '../usage.ts'
import { askModels, type Persistence, persisting } from './askModels.ts'
import type { ModelTurn } from './callModel.ts'

export interface SideCallOptions extends Persistence {
  /** Identifies the stored answer: the same for the same question after a reload, and for no other of the run. */
  key: string
  prompt: readonly LanguageModelV4Message[]
  /** The agent's own models by default. */
  models?: readonly LanguageModelV4[]
  settings?: ModelSettings
  /** A JSON Schema of the answer, for models that support one. */
  responseFormat?: ModelRequest['responseFormat']
  /** A tool that the model must answer through. Its input is the answer, as JSON. */
  tool?: LanguageModelV4FunctionTool
}

/**
 * Makes a side call to a model, such as for a summary or a judgement, and returns its text. Called once per run and
 * key: the answer is in the log, and its tokens count in the run's usage. Throws if no model answers.
 */
export async function sideCall(run: RunContext, given: SideCallOptions): Promise<string> {
  checkOptions('sideCall()', given, [
    'key',
    'prompt',
    'models',
    'settings',
    'responseFormat',
    'tool',
    'retries',
    'retryDelayMs',
    'caps',
  ])
  assertOption(
    given.key && Array.isArray(given.prompt),
    DEV && 'sideCall() needs a `key` and a `prompt`: sideCall(run, { key, prompt: [{ role, content }] }).',
  )
  return askOnce(run, given)
}

/** Makes a side call with valid options. `empty` is the failure of an answer without text, which is asked again. */
export async function askOnce(
  run: RunContext,
  { key, prompt, ...options }: SideCallOptions,
  empty?: Failure,
): Promise<string> {
  const note = sideCallOf(key)
  const known = noteOf(run.state, note)
  if (typeof known === 'string') return known
  const { settings, responseFormat, tool } = options
  const models = modelsFor(run, options.models)
  const request: ModelRequest = {
    ...settings,
    ...(responseFormat && { responseFormat }),
    ...(tool && { tools: [tool], toolChoice: { type: 'tool', toolName: tool.name } }),
    prompt: [...prompt],
  }
  const turn = await askModels(run, { ...persisting(options), key: note, models, request })
  const { usage } = turn
  const value = answerOf(turn)
  const error = turn.error ?? (value.trim() === '' ? empty : undefined)
  if (error) throw failedCall(run, note, usage, error)
  run.emit({ type: 'noted', key: note, value, usage })
  await run.durable()
  return value
}

/** Counts the usage of a side call without an answer, and returns its error. The call is made again. */
function failedCall(run: RunContext, key: string, usage: Usage, error: Failure): AgentError {
  if (usage.inputTokens + usage.outputTokens > 0)
    run.emit({ type: 'noted', key, value: { error: { ...error } }, usage })
  return new AgentError(error.code, error.message, error)
}

/** Returns the answer: the input of the call, or text, since a model that must use a tool may still write. */
function answerOf(turn: ModelTurn): string {
  const call = turn.parts.find((part) => part.type === 'tool-call')
  if (!call) return joined(turn, 'text')
  return typeof call.input === 'string' ? call.input : JSON.stringify(call.input)
}

/** Returns the models of a side call: the named ones, or the agent's own. A delegating agent has none. */
function modelsFor({ agent }: RunContext, models: readonly LanguageModelV4[] = agent.models): typeof models {
  if (models.length > 0) return models
  throw new AgentError('options_invalid', DEV && `The agent "${agent.name}" has no model. Set \`models\`.`)
}
