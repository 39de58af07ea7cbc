import type { LanguageModelV4Message, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { AgentError } from '@interleave/core'
import { problemMetadata, problemOf } from '@interleave/core/internal'
import type { InvalidCall, TextAction, TextEvent } from './textEvent.ts'
import { type CallNaming, readAction } from './toolInput.ts'

type StreamPart = LanguageModelV4StreamPart

/** The outcome of a step so far. */
export interface StepOutcome {
  thought: boolean
  acted: boolean
  /** True if the server parsed a call from the text itself. */
  called: boolean
  answered: boolean
  problem?: string
}

export interface TranslatorOptions extends CallNaming {
  /** The number of the first call. */
  readonly first: number
  /** The format's command that only ends the work, if it has one. The answer is the thought before it. */
  readonly bareEnd: string | undefined
  /** Returns true if thoughts are emitted as text: until they end, each may be an answer. */
  readonly thoughtsAsText: () => boolean
}

/** Turns the events of a text reader into the parts in which a model that calls tools would have streamed them. */
export class StepTranslator {
  readonly outcome: StepOutcome = { thought: false, acted: false, called: false, answered: false }
  /** True if the final answer is a call of the answer tool. */
  readonly answersByTool: boolean
  readonly #options: TranslatorOptions
  readonly #blocks = new Blocks()
  readonly #unread: InvalidCall[] = []
  #thought = ''
  #hasSpoken = false
  #answer = ''
  #number: number

  constructor(options: TranslatorOptions) {
    this.#options = options
    this.#number = options.first
    this.answersByTool = options.tools.some(({ name }) => name === options.answerTool)
  }

  read(event: TextEvent): readonly StreamPart[] {
    const { outcome } = this
    switch (event.type) {
      case 'thought': {
        const isText = this.#options.thoughtsAsText()
        outcome.thought = true
        this.#thought += event.delta
        this.#hasSpoken ||= isText
        return this.#blocks.grow(isText ? 'text' : 'reasoning', event.delta)
      }
      case 'action':
        return this.#act(event)
      case 'invalid':
        this.#unread.push(event)
        return []
      case 'finish':
        outcome.answered = true
        this.#answer += event.delta
        return this.answersByTool || this.#options.bareEnd !== undefined ? [] : this.#blocks.grow('text', event.delta)
      case 'problem':
        outcome.problem = event.message
        return []
    }
  }
  /** Uses a text as the answer, if it contained only words. */
  answer(text: string): readonly StreamPart[] {
    if (!squashed(this.#thought).endsWith(squashed(text))) return []
    this.outcome.answered = true
    this.#answer = text
    return this.#hasSpoken || this.answersByTool ? [] : this.#blocks.grow('text', text)
  }
  /** Ends the open text or thought. */
  close(): readonly StreamPart[] {
    return this.#blocks.close()
  }
  /** Like `close`, with the call of the answer tool. Call it last. */
  end(): readonly StreamPart[] {
    return [...(this.outcome.answered ? this.#finalAnswer() : []), ...this.close(), ...this.#unreadCalls()]
  }

  #call(call: TextAction): readonly StreamPart[] {
    this.outcome.acted = true
    return [...this.close(), ...callParts(call, this.#number++)]
  }
  #act(action: TextAction): readonly StreamPart[] {
    const { problem, ...call } = readAction(action, this.#options)
    if (problem === undefined) return this.#call(call)
    this.outcome.problem = problem
    this.#unread.push({ text: action.written ?? asText(action), message: problem })
    return []
  }
  /** Returns the calls that do not run, next to those that do. */
  #unreadCalls(): readonly StreamPart[] {
    if (!this.outcome.acted && !this.outcome.called) return []
    return this.#unread.splice(0).flatMap((call) => malformedCall(call, this.#number++))
  }
  #finalAnswer(): readonly StreamPart[] {
    const { answerTool: tool, bareEnd } = this.#options
    const text = this.#answer.trim()
    // If an answer does not fit, the answer tool reports that.
    if (this.answersByTool) return this.#call({ tool, input: readAction({ tool, input: text }, this.#options).input })
    if (bareEnd === undefined) return []
    return this.#blocks.grow('text', text === bareEnd ? this.#thought.trim() || text : text)
  }
}

export const asText = ({ tool, input }: TextAction): string =>
  `${tool} ${typeof input === 'string' ? input : JSON.stringify(input)}`

/** Removes white space, as readers do. */
const squashed = (text: string): string => text.replace(/\s+/g, '')

/** Blocks of text and of thought in a stream. At most one is open at a time. */
class Blocks {
  #open: 'text' | 'reasoning' | undefined
  #count = 0

  grow(type: 'text' | 'reasoning', delta: string): StreamPart[] {
    const begun = this.#open === type ? [] : [...this.close(), this.#begin(type)]
    return [...begun, { type: `${type}-delta`, id: this.#id, delta }]
  }
  close(): StreamPart[] {
    const closed: StreamPart[] = this.#open ? [{ type: `${this.#open}-end`, id: this.#id }] : []
    this.#open = undefined
    return closed
  }

  get #id(): string {
    return `step-${this.#count}`
  }
  #begin(type: 'text' | 'reasoning'): StreamPart {
    this.#open = type
    this.#count++
    return type === 'text' ? { type: 'text-start', id: this.#id } : { ...thoughtStart, id: this.#id }
  }
}

/** Marks thoughts that were read from text, in contrast to a provider's report of its model's reasoning. */
const thoughtStart = { type: 'reasoning-start', providerMetadata: { interleave: { thought: true } } } as const

/** The name of the call that represents a step that could not be read. */
export const malformedStep = 'malformed_step'

interface Malformed extends InvalidCall {
  readonly malformed: MalformedLimit
  readonly calls: { readonly first: number }
}
export interface MalformedLimit {
  /** Malformed steps right before this one. */
  readonly before: number
  /** The number in a row that ends the turn with an error. */
  readonly most: number
}

/** Converts an unreadable step to a call that is not run. Its observation is the problem. */
export function malformedParts({ text, message, malformed, calls }: Malformed): LanguageModelV4StreamPart[] {
  const inARow = malformed.before + 1
  if (inARow < malformed.most) return malformedCall({ text, message }, calls.first)
  const failure = `The model wrote no usable step ${inARow} times in a row. The last problem was: ${message}`
  return [{ type: 'error', error: new AgentError('model_malformed', failure) }]
}

/** Converts an unreadable part of a step to a call of its own. */
function malformedCall({ text, message }: InvalidCall, number: number): LanguageModelV4StreamPart[] {
  const input = { text: text.length > longestShown ? `${text.slice(0, longestShown)} …` : text }
  const providerMetadata = problemMetadata(message)
  return callParts({ tool: malformedStep, input }, number).map((part) =>
    part.type === 'tool-call' ? { ...part, providerMetadata } : part,
  )
}

/** The maximum length of its text that the model is shown again: more would only fill its window. */
const longestShown = 2_000

/** Returns the number of latest turns that were malformed as a whole, without a message in between. */
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

/** Returns the number of the next call: above any in the conversation, so that it only depends on that. */
export function nextCall(prompt: readonly LanguageModelV4Message[]): number {
  let largest = 0
  for (const { role, content } of prompt)
    for (const part of role === 'assistant' ? content : [])
      if (part.type === 'tool-call')
        largest = Math.max(largest, Number(/^action-(\d+)$/.exec(part.toolCallId)?.[1] ?? 0))
  return largest + 1
}

/** Returns the four parts of a whole call. */
function callParts({ tool: toolName, input }: TextAction, number: number): LanguageModelV4StreamPart[] {
  const id = `action-${number}`
  const json = JSON.stringify(input)
  return [
    { type: 'tool-input-start', id, toolName },
    { type: 'tool-input-delta', id, delta: json },
    { type: 'tool-input-end', id },
    { type: 'tool-call', toolCallId: id, toolName, input: json },
  ]
}
