import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4Message } from '@ai-sdk/provider'
import { AgentError } from '../error.ts'
import type { ModelSettings } from '../plan.ts'
import type { RunContext } from '../run.ts'
import { joined } from '../scratchpad.ts'
import { askModels, type Persistence, persistence } from './askModels.ts'

export interface ConsultOptions extends Persistence {
  /** Finds the answer again after a reload: the same for the same question, and for no other of the run. */
  key: string
  prompt: readonly LanguageModelV4Message[]
  /** The agent's own models by default. */
  models?: readonly LanguageModelV4[]
  settings?: ModelSettings
  /** A JSON Schema for the answer, told to models that can keep to one. */
  responseFormat?: LanguageModelV4CallOptions['responseFormat']
}

/**
 * Asks a model something beside the conversation, such as for a summary or a judgement, and gives its text. Asked once per
 * run and key: the answer is noted in the log, and what it took is part of the run's usage. Throws when no model answers.
 */
export async function consult(run: RunContext, { key, prompt, ...options }: ConsultOptions): Promise<string> {
  const note = `consult/${key}`
  const known = run.state.notes[note]
  if (typeof known === 'string') return known
  const { models = run.agent.models, settings, responseFormat } = options
  const call: LanguageModelV4CallOptions = {
    ...settings,
    ...(responseFormat && { responseFormat }),
    prompt: [...prompt],
    abortSignal: run.abortSignal,
  }
  const asked = await askModels(run, { ...persistence(options), key: note, models, call })
  const { usage, error } = asked
  if (error) throw new AgentError(error.code, error.message, error)
  const value = joined(asked, 'text')
  run.emit({ type: 'noted', key: note, value, usage })
  await run.durable()
  return value
}
