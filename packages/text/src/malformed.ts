import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { complaintMetadata, complaintOf } from '@interleave/core/internal'
import { callId, callParts } from './callParts.ts'

/** The name under which a step that could not be read stands among the calls of a run. */
export const malformedStep = 'malformed_step'

export interface Unread {
  /** The model's text. */
  readonly text: string
  readonly complaint: string
}
export interface Malformed extends Unread {
  readonly malformed: MalformedLimit
  /** The number of the call. */
  readonly calls: { readonly first: number }
}
export interface MalformedLimit {
  /** Malformed steps right before this one. */
  readonly before: number
  /** So many in a row end the turn with an error. */
  readonly most: number
}

/** Represents an unreadable step as a call that does not run: its observation is the problem. */
export function malformedParts({ text, complaint, malformed, calls }: Malformed): LanguageModelV4StreamPart[] {
  const inARow = malformed.before + 1
  if (inARow >= malformed.most) {
    const message = `The model wrote no usable step ${inARow} times in a row. The last problem was: ${complaint}`
    return [{ type: 'error', error: new AgentError('model_malformed', message) }]
  }
  return malformedCall({ text, complaint, id: callId(calls.first) })
}

/** A part of a step that could not be read, as a call of its own. */
export function malformedCall({ text, complaint, id }: Unread & { readonly id: string }): LanguageModelV4StreamPart[] {
  const input = JSON.stringify({ text: text.length > longest ? `${text.slice(0, longest)} …` : text })
  const providerMetadata = complaintMetadata(complaint)
  return callParts({ id, toolName: malformedStep, input }).map((part) =>
    part.type === 'tool-call' ? { ...part, providerMetadata } : part,
  )
}

/** The model is shown what it wrote; a long ramble would only fill its window. */
const longest = 2_000

/** Returns the number of latest turns that were entirely malformed, without a message in between. */
export function countMalformed(prompt: readonly LanguageModelV4Message[]): number {
  let count = 0
  for (let index = prompt.length - 1; index >= 0; index--) {
    const message = prompt[index]
    if (message?.role === 'tool') continue
    if (message?.role !== 'assistant' || !isMalformed(message.content)) break
    count++
  }
  return count
}

function isMalformed(content: Extract<LanguageModelV4Message, { role: 'assistant' }>['content']): boolean {
  const calls = content.filter((part) => part.type === 'tool-call')
  return calls.length > 0 && calls.every(({ providerOptions }) => complaintOf(providerOptions) !== undefined)
}
