import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { complaintOf } from './complaint.ts'
import { AgentError, messageOf } from './error.ts'
import type { Delta, Thought } from './event.ts'
import * as shapes from './eventShape.ts'
import { asPlain, parseJson } from './json.ts'
import type { Part, ToolCallPart } from './part.ts'
import type { Shape } from './shape.ts'
import { soundMetadata, withSoundMetadata } from './soundMetadata.ts'
import { sound, soundPart } from './soundPart.ts'

/** How much one model turn may be. What is longer or slower is cut off and counts as a failed attempt. */
export interface TurnCaps {
  /**
   * Characters of text, reasoning and tool input together. Those of tool input count a quarter: an input that is too long is
   * refused alone, and the run goes on.
   */
  maxCharacters: number
  /** Parts of the stream. */
  maxParts: number
  /** Milliseconds from the call to the end of the stream. */
  maxMs: number
  /** Milliseconds without a part. */
  idleMs: number
}

/** What a stream has brought so far. */
export interface TurnDraft extends Writable<Pick<Thought, 'finish' | 'warnings' | 'providerMetadata' | 'responseId'>> {
  readonly parts: Part[]
  usage?: LanguageModelV4Usage
  characters: number
  received: number
}

export const emptyTurn = (): TurnDraft => ({ parts: [], characters: 0, received: 0 })

type Kind = 'text' | 'reasoning'
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type TextPart = Writable<Extract<Part, { type: Kind }>>
type Tell = (delta: Delta) => void

const thought = shapes.thought as Record<'finish' | 'warnings', Shape>

/** Takes the parts of one model stream, in order, into a turn. One of them per call: part ids are unique only within. */
export function turnReader(turn: TurnDraft, tell: Tell): (part: LanguageModelV4StreamPart) => void {
  const open = new Map<string, TextPart>()
  const tools = new Map<string, string>()

  const start = (type: Kind, id: string): TextPart => {
    const part: TextPart = { type, text: '' }
    open.set(type + id, part)
    turn.parts.push(part)
    return part
  }
  const grow = (type: Kind, id: string, delta: string): TextPart => {
    if (typeof delta !== 'string')
      throw new AgentError('model_malformed', `The model sent a piece of ${type} that is no text.`)
    // Some servers leave the start out.
    const part = open.get(type + id) ?? start(type, id)
    part.text += delta
    turn.characters += delta.length
    tell({ type: 'delta', kind: type, delta })
    return part
  }

  return (part) => {
    turn.received++
    switch (part.type) {
      case 'text-delta':
        return keepMetadata(grow('text', part.id, part.delta), part)
      case 'reasoning-delta':
        return keepMetadata(grow('reasoning', part.id, part.delta), part)
      case 'text-start':
        return keepMetadata(start('text', part.id), part)
      case 'reasoning-start':
        return keepMetadata(start('reasoning', part.id), part)
      case 'text-end':
        return keepMetadata(open.get(`text${part.id}`), part)
      case 'reasoning-end':
        return keepMetadata(open.get(`reasoning${part.id}`), part)
      case 'tool-input-start':
        tools.set(part.id, part.toolName)
        return tell({ type: 'delta', kind: 'input', id: part.id, tool: part.toolName, delta: '' })
      case 'tool-input-delta':
        turn.characters += part.delta.length / 4
        return tell({ type: 'delta', kind: 'input', id: part.id, tool: tools.get(part.id) ?? '', delta: part.delta })
      case 'tool-call':
        turn.parts.push(toCall(part))
        return
      case 'tool-result':
        if (!part.preliminary) turn.parts.push(soundPart(part))
        return
      case 'file':
      case 'reasoning-file':
        turn.parts.push(asPlain(withSoundMetadata(part)))
        return
      case 'source':
      case 'custom':
      case 'tool-approval-request':
        turn.parts.push(soundPart(part))
        return
      case 'stream-start':
        if (part.warnings?.length > 0)
          turn.warnings = sound(part.warnings, { type: part.type, shape: thought.warnings })
        return
      case 'response-metadata':
        if (typeof part.id === 'string') turn.responseId = part.id
        return
      case 'finish':
        turn.finish = sound(part.finishReason, { type: part.type, shape: thought.finish })
        turn.usage = part.usage
        Object.assign(turn, soundMetadata(part.providerMetadata))
        return
      case 'error':
        throw asModelError(part.error)
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        return
    }
  }
}

/** A later piece of metadata completes an earlier one: signatures arrive with the last delta or the end. */
function keepMetadata(
  part: TextPart | undefined,
  { providerMetadata }: { providerMetadata?: TextPart['providerMetadata'] },
): void {
  if (!part || !providerMetadata) return
  const { providerMetadata: later } = soundMetadata(providerMetadata)
  if (later) part.providerMetadata = { ...part.providerMetadata, ...later }
}

function toCall(given: Extract<LanguageModelV4StreamPart, { type: 'tool-call' }>): ToolCallPart {
  const part = soundPart(withSoundMetadata(given))
  const { input, ...rest } = part
  const invalid = complaintOf(part.providerMetadata)
  try {
    // A call without arguments comes as an empty text from several providers.
    return { ...rest, input: input.trim() === '' ? {} : parseJson(input), ...(invalid && { invalid }) }
  } catch (error) {
    return { ...rest, input: input.slice(0, mostUnread), invalid: messageOf(error) }
  }
}

/** So many characters of an input that cannot be read are kept: no more than one that can be read may have. */
const mostUnread = 65_536

/** Errors inside of a stream are of any shape. A provider's own error object keeps its flags. */
function asModelError(error: unknown): unknown {
  if (error instanceof Error) return error
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown }
  const number = typeof status === 'number' ? status : typeof code === 'number' ? code : undefined
  const retryable =
    number === undefined ? /overload|rate|timeout|unavailable/i.test(messageOf(error)) : isRetryableStatus(number)
  return new AgentError('model_failed', messageOf(error), { cause: error, retryable, status: number })
}

const isRetryableStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500
