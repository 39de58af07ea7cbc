import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { problemMetadata, problemOf } from '@interleave/core/internal'
import type { InvalidCall, TextAction } from './textEvent.ts'

/** The name of the call that represents a step that could not be read. */
export const malformedStep = 'malformed_step'

interface Malformed extends InvalidCall {
  readonly malformed: MalformedLimit
  readonly calls: { readonly first: number }
}
export interface MalformedLimit {
  /** Malformed steps right before this one. */
  readonly before: number
  /** So many in a row end the turn with an error. */
  readonly most: number
}

/** A step that could not be read, as a call that is not run. Its observation is the problem. */
export function malformedParts({ text, message, malformed, calls }: Malformed): LanguageModelV4StreamPart[] {
  const inARow = malformed.before + 1
  if (inARow < malformed.most) return malformedCall({ text, message }, calls.first)
  const failure = `The model wrote no usable step ${inARow} times in a row. The last problem was: ${message}`
  return [{ type: 'error', error: new AgentError('model_malformed', failure) }]
}

/** A part of a step that could not be read, as a call of its own. */
export function malformedCall({ text, message }: InvalidCall, number: number): LanguageModelV4StreamPart[] {
  const input = { text: text.length > longestShown ? `${text.slice(0, longestShown)} …` : text }
  const providerMetadata = problemMetadata(message)
  return callParts({ tool: malformedStep, input }, number).map((part) =>
    part.type === 'tool-call' ? { ...part, providerMetadata } : part,
  )
}

/** The model is shown what it wrote; a long ramble would only fill its window. */
const longestShown = 2_000

/** Returns how many of the latest turns were malformed as a whole, without a message in between. */
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
  return calls.length > 0 && calls.every(({ providerOptions }) => problemOf(providerOptions) !== undefined)
}

/** The number of the next call: a larger one than any in the conversation, so that the same conversation gives the same. */
export function nextCall(prompt: readonly LanguageModelV4Message[]): number {
  let largest = 0
  for (const { role, content } of prompt)
    for (const part of role === 'assistant' ? content : [])
      if (part.type === 'tool-call')
        largest = Math.max(largest, Number(/^action-(\d+)$/.exec(part.toolCallId)?.[1] ?? 0))
  return largest + 1
}

/** Returns the four parts of a whole call. */
export function callParts({ tool: toolName, input }: TextAction, number: number): LanguageModelV4StreamPart[] {
  const id = `action-${number}`
  const json = JSON.stringify(input)
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: json },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: json },
  ]
}
