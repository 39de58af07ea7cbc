import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { complaintMetadata, complaintOf } from '../complaint.ts'
import { AgentError } from '../error.ts'
import { callId, callParts } from './callParts.ts'
import type { TranslatorOptions } from './stepTranslator.ts'

/** The name under which a step that could not be read stands among the calls of a run. */
export const malformedStep = 'malformed_step'

export interface Malformed {
  /** What the model wrote. */
  readonly text: string
  readonly complaint: string
  readonly malformed: MalformedLimit
  readonly calls: Pick<TranslatorOptions, 'first'>
}
export interface MalformedLimit {
  /** Malformed steps right before this one. */
  readonly before: number
  /** So many in a row end the turn with an error. */
  readonly most: number
}

/** A step that could not be read, as a call that is not run: its observation is the complaint. */
export function malformedParts({ text, complaint, malformed, calls }: Malformed): LanguageModelV4StreamPart[] {
  const inARow = malformed.before + 1
  if (inARow >= malformed.most) {
    const message = `The model wrote no usable step ${inARow} times in a row. The last complaint was: ${complaint}`
    return [{ type: 'error', error: new AgentError('model_malformed', message) }]
  }
  const input = JSON.stringify({ text: text.length > longest ? `${text.slice(0, longest)} …` : text })
  const parts = callParts({ id: callId(calls.first), toolName: malformedStep, input })
  const providerMetadata = complaintMetadata(complaint)
  return parts.map((part) => (part.type === 'tool-call' ? { ...part, providerMetadata } : part))
}

/** The model is shown what it wrote; a long ramble would only fill its window. */
const longest = 2_000

/** How many of the latest turns were malformed, without a message in between. */
export function countMalformed(prompt: readonly LanguageModelV4Message[]): number {
  let count = 0
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]
    if (message?.role === 'tool') continue
    if (message?.role !== 'assistant' || !message.content.some(isMalformed)) break
    count++
  }
  return count
}

const isMalformed = (part: Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number]): boolean =>
  part.type === 'tool-call' && complaintOf(part.providerOptions) !== undefined
