import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { type Failure, messageOf, toFailure } from './error.ts'
import type { Json } from './json.ts'

/** The result of a call, for the model and for the app. */
export interface Outcome {
  readonly result: LanguageModelV4ToolResultOutput
  readonly output?: Json
  readonly error?: Failure
}

/** A failure as the model reads it. */
export function failedOutcome(error: unknown): Outcome {
  const failure = toFailure(error, 'tool_failed')
  const { code, message } = failure
  if (code !== 'tool_refused') return { result: { type: 'error-text', value: messageOf(error) }, error: failure }
  if (message) return { result: { type: 'execution-denied', reason: message }, error: failure }
  return { result: { type: 'execution-denied' }, error: { ...failure, message: 'Refused.' } }
}
