import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import { callId, callParts, malformedCall, type Unread } from './calls.ts'
import type { TextEvent } from './textEvent.ts'
import { type Action, type CallNaming, readAction } from './toolInput.ts'

type StreamPart = LanguageModelV4StreamPart

/** Turns what a reader found in a text into the parts in which a model that calls tools would have streamed it. */
export interface StepTranslator {
  read(event: TextEvent): readonly StreamPart[]
  /** A text that is the answer, if there was nothing in it but words. */
  answer(text: string): readonly StreamPart[]
  /** Ends the text or the thought that is open. */
  close(): readonly StreamPart[]
  /** The same, with the call of the answer tool. Comes last. */
  end(): readonly StreamPart[]
  readonly outcome: StepOutcome
  /** True if the final answer is a call of the answer tool. */
  readonly answersByTool: boolean
}

/** The outcome of a step so far. */
export interface StepOutcome {
  thought: boolean
  acted: boolean
  /** The server made a call of its own of the text. */
  called: boolean
  answered: boolean
  complaint?: string
}

export interface TranslatorOptions extends CallNaming {
  /** The number of the first call. */
  readonly first: number
  /** The command that ends the work and says nothing else, where the format has one. The answer is the thought before it. */
  readonly bareEnd: string | undefined
  /**
   * Returns true if thoughts are emitted as text, because they cannot be distinguished from an answer before they end.
   */
  readonly thoughtsAsText: () => boolean
}

export function stepTranslator(options: TranslatorOptions): StepTranslator {
  const { tools, answerTool, bareEnd, thoughtsAsText } = options
  const outcome: StepOutcome = { thought: false, acted: false, called: false, answered: false }
  const answersByTool = tools.some(({ name }) => name === answerTool)
  const blocks = openBlocks()
  let thought = ''
  let hasSpoken = false
  let answer = ''
  let number = options.first
  const unread: Unread[] = []

  const call = (toolName: string, input: Json): StreamPart[] => {
    outcome.acted = true
    return [...blocks.close(), ...callParts({ id: callId(number++), toolName, input: JSON.stringify(input) })]
  }
  const act = (action: Action): readonly StreamPart[] => {
    const { toolName, input, complaint } = readAction(action, options)
    if (complaint === undefined) return call(toolName, input)
    outcome.complaint = complaint
    unread.push({ text: action.written ?? asText(action), complaint })
    return []
  }
  /** Returns the calls that do not run, next to those that do. */
  const unreadCalls = (): readonly StreamPart[] =>
    outcome.acted || outcome.called
      ? unread.splice(0).flatMap((one) => malformedCall({ ...one, id: callId(number++) }))
      : []
  const finalAnswer = (): readonly StreamPart[] => {
    const text = answer.trim()
    // Whatever is wrong with an answer, the tool that takes it says so.
    if (answersByTool)
      return call(answerTool, readAction({ type: 'action', tool: answerTool, input: text }, options).input)
    return bareEnd === undefined ? [] : blocks.grow('text', text === bareEnd ? thought.trim() || text : text)
  }

  return {
    outcome,
    answersByTool,
    read(event) {
      switch (event.type) {
        case 'thought':
          outcome.thought = true
          thought += event.delta
          hasSpoken ||= thoughtsAsText()
          return blocks.grow(thoughtsAsText() ? 'text' : 'reasoning', event.delta)
        case 'action':
          return act(event)
        case 'invalid':
          unread.push({ text: event.text, complaint: event.message })
          return []
        case 'finish':
          outcome.answered = true
          answer += event.delta
          return answersByTool || bareEnd !== undefined ? [] : blocks.grow('text', event.delta)
        case 'complaint':
          outcome.complaint = event.message
          return []
      }
    },
    answer(text) {
      if (!squashed(thought).endsWith(squashed(text))) return []
      outcome.answered = true
      answer = text
      return hasSpoken || answersByTool ? [] : blocks.grow('text', text)
    },
    close: blocks.close,
    end: () => [...(outcome.answered ? finalAnswer() : []), ...blocks.close(), ...unreadCalls()],
  }
}

export const asText = ({ tool, input }: Pick<Action, 'tool' | 'input'>): string =>
  `${tool} ${typeof input === 'string' ? input : JSON.stringify(input)}`

/** Readers take white space off. */
const squashed = (text: string): string => text.replace(/\s+/g, '')

/** Blocks of text and of thought in a stream. */
interface Blocks {
  grow(type: 'text' | 'reasoning', delta: string): StreamPart[]
  close(): StreamPart[]
}

/** At most one block is open at a time. */
function openBlocks(): Blocks {
  let open: 'text' | 'reasoning' | undefined
  let count = 0
  let id = ''
  const close = (): StreamPart[] => {
    const closed: StreamPart[] = open ? [{ type: `${open}-end`, id }] : []
    open = undefined
    return closed
  }
  const start = (type: 'text' | 'reasoning'): StreamPart[] => {
    const closed = close()
    open = type
    id = `step-${++count}`
    return [...closed, type === 'text' ? { type: 'text-start', id } : { ...thoughtStart, id }]
  }
  return {
    close,
    grow(type, delta) {
      const part: StreamPart =
        type === 'text' ? { type: 'text-delta', id, delta } : { type: 'reasoning-delta', id, delta }
      return open === type ? [part] : [...start(type), { ...part, id }]
    },
  }
}

/** Tells thoughts that were read from text from what a provider says of its model's reasoning. */
const thoughtStart = { type: 'reasoning-start', providerMetadata: { interleave: { thought: true } } } as const
