import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { complaintOf } from './complaint.ts'
import { AgentError, asModelError, isAgentError, malformed, messageOf } from './error.ts'
import type { Delta, Thought } from './event.ts'
import { isObject, parseJson } from './json.ts'
import type { Part, ToolCallPart } from './part.ts'
import { plainData, plainRecord, type Spend } from './plainData.ts'
import * as received from './receivedShape.ts'
import type { Shape } from './shape.ts'
import { turnTexts } from './turnTexts.ts'

/** The maximum size of a model turn. A larger or slower turn is cut off and counts as a failed attempt. */
export interface TurnCaps {
  /**
   * The total characters of text, reasoning and tool input. Tool input counts a quarter: an oversized input is rejected
   * alone, and the run continues.
   */
  maxCharacters: number
  /** Bytes of everything else that is kept: files, sources, inputs and results of calls, metadata, warnings. Files count as base64. */
  maxBytes: number
  /** Parts of the stream. */
  maxParts: number
  /** Milliseconds from the call to the end of the stream. */
  maxMs: number
  /** Milliseconds without a part. */
  idleMs: number
}

export const defaultCaps: TurnCaps = {
  maxCharacters: 2_000_000,
  maxBytes: 32_000_000,
  maxParts: 1_000_000,
  maxMs: 600_000,
  idleMs: 120_000,
}

/** Texts, calls, files and other parts that a turn may be made of. Each is looked up and shown, so there is an end to them. */
const mostKept = 5_000
/** So many characters of an input that cannot be read are kept: no more than one that can be read may have. */
const mostUnread = 65_536

/** The content of a stream so far. */
export interface TurnDraft extends Writable<Pick<Thought, 'finish' | 'warnings' | 'providerMetadata' | 'responseId'>> {
  readonly parts: Part[]
  usage?: LanguageModelV4Usage
  characters: number
  bytes: number
  received: number
}

export const emptyTurn = (): TurnDraft => ({ parts: [], characters: 0, bytes: 0, received: 0 })

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
type Tell = (delta: Delta) => void
type Caps = Pick<TurnCaps, 'maxCharacters' | 'maxBytes' | 'maxParts'>
/** A stream part that has not been validated. */
type Foreign = Readonly<Partial<Record<string, unknown>>>

/**
 * Creates a reader that turns the parts of one model stream, in order, into a turn. Use one per call, because part ids
 * are unique only within a call. It converts everything that a provider sends to bounded plain data. Throws
 * `model_malformed` or `model_too_large` for parts that a log cannot store, so that the turn fails, and not a later
 * load of the run.
 */
export function turnReader(turn: TurnDraft, tell: Tell, caps: Caps): (part: LanguageModelV4StreamPart) => void {
  const { maxCharacters, maxBytes, maxParts } = caps
  /** Tools by the ids of the inputs that stream. */
  const tools = new Map<string, string>()

  const add = (part: Part): void => {
    if (turn.parts.length >= mostKept) throw tooLarge(`made of more than ${mostKept} texts, calls and other parts`)
    turn.parts.push(part)
  }
  const spend: Spend = (bytes) => {
    turn.bytes += bytes
    if (turn.bytes > maxBytes) throw tooLarge(`more than ${maxBytes} bytes of data`)
  }
  const count = (characters: number): void => {
    turn.characters += characters
    if (turn.characters > maxCharacters) throw tooLarge(`longer than ${maxCharacters} characters`)
  }
  const texts = { text: turnTexts('text', { add, spend }), reasoning: turnTexts('reasoning', { add, spend }) }

  const grow = (kind: keyof typeof texts, part: Foreign): void => {
    const { delta } = part
    if (typeof delta !== 'string') throw wrong(part.type, 'delta')
    texts[kind].grow(idOf(part), delta, part.providerMetadata)
    count(delta.length)
    tell({ type: 'delta', kind, delta })
  }
  const growInput = (part: Foreign, delta: unknown): void => {
    const id = idOf(part)
    if (typeof delta !== 'string') throw wrong(part.type, 'delta')
    count(delta.length / 4)
    tell({ type: 'delta', kind: 'input', id, tool: tools.get(id) ?? '', delta })
  }
  const startInput = (part: Foreign): void => {
    const [id, { toolName }] = [idOf(part), part]
    if (received.toolName(toolName) !== undefined) throw wrong(part.type, 'toolName')
    if (tools.size >= mostKept) throw tooLarge(`made of more than ${mostKept} calls`)
    spend(id.length)
    tools.set(id, toolName as string)
    growInput(part, '')
  }
  const plain = (given: unknown, shape: Shape, type: unknown): unknown => {
    const copy = plainData(given, spend)
    const way = shape(copy)
    if (way !== undefined) throw wrong(type, way)
    return copy
  }
  /** Returns the part with its provider's metadata. Invalid metadata is omitted, since nothing depends on it. */
  const toPart = (given: Foreign): Part => {
    const { providerMetadata, ...part } = plain({ ...given }, received.part, given.type) as Part
    return (isObject(providerMetadata) ? { ...part, providerMetadata } : part) as Part
  }
  const toCall = (part: Foreign): ToolCallPart => {
    const { input: text } = part
    if (typeof text !== 'string') throw wrong(part.type, 'input')
    spend(Math.min(text.length, mostUnread))
    const call = toPart({ ...part, input: '' }) as ToolCallPart
    const invalid = complaintOf(call.providerMetadata)
    try {
      // A call without arguments comes as an empty text from several providers.
      return { ...call, input: text.trim() === '' ? {} : parseJson(text), ...(invalid && { invalid }) }
    } catch (error) {
      return { ...call, input: text.slice(0, mostUnread), invalid: messageOf(error) }
    }
  }

  const read = (part: Foreign): Failed | undefined => {
    const { type, providerMetadata } = part
    switch (type) {
      case 'text-delta':
        grow('text', part)
        return
      case 'reasoning-delta':
        grow('reasoning', part)
        return
      case 'text-start':
        texts.text.start(idOf(part), providerMetadata)
        return
      case 'reasoning-start':
        texts.reasoning.start(idOf(part), providerMetadata)
        return
      case 'text-end':
        texts.text.end(idOf(part), providerMetadata)
        return
      case 'reasoning-end':
        texts.reasoning.end(idOf(part), providerMetadata)
        return
      case 'tool-input-start':
        startInput(part)
        return
      case 'tool-input-delta':
        growInput(part, part.delta)
        return
      case 'tool-call':
        add(toCall(part))
        return
      case 'tool-result':
        if (!part.preliminary) add(toPart({ ...part, result: part.result ?? null }))
        return
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'custom':
      case 'tool-approval-request':
        add(toPart(part))
        return
      case 'stream-start': {
        const warnings = plain(part.warnings ?? [], received.warnings, type) as TurnDraft['warnings'] & {}
        if (warnings.length > 0) turn.warnings = warnings
        return
      }
      case 'response-metadata':
        if (typeof part.id === 'string') turn.responseId = idOf(part)
        return
      case 'finish': {
        turn.finish = plain(part.finishReason, received.finish, type) as TurnDraft['finish'] & {}
        turn.usage = toCounts(plainRecord(part.usage, spend))
        const metadata = plainRecord(providerMetadata, spend) as TurnDraft['providerMetadata']
        if (metadata) turn.providerMetadata = metadata
        return
      }
      case 'error':
        return { error: part.error }
    }
    return undefined
  }

  return (part) => {
    if (++turn.received > maxParts) throw tooLarge(`made of more than ${maxParts} parts of a stream`)
    let failure: Failed | undefined
    try {
      failure = read(part as Foreign)
    } catch (error) {
      throw isAgentError(error) ? error : malformed(`what is no plain data: ${messageOf(error)}`)
    }
    if (failure) throw asModelError(failure.error)
  }
}

/** Both halves are there, with whatever the provider calls its counts. */
const toCounts = ({
  inputTokens,
  outputTokens,
  ...others
}: Readonly<Record<string, unknown>> = {}): LanguageModelV4Usage => ({
  ...others,
  inputTokens: (isObject(inputTokens) ? inputTokens : {}) as LanguageModelV4Usage['inputTokens'],
  outputTokens: (isObject(outputTokens) ? outputTokens : {}) as LanguageModelV4Usage['outputTokens'],
})

/** Boxed, since anything may be sent as an error, also nothing. */
interface Failed {
  readonly error: unknown
}

const tooLarge = (what: string): AgentError => new AgentError('model_too_large', `The model's turn is ${what}.`)

const wrong = (type: unknown, way: string): AgentError =>
  malformed(`a "${type}" with ${way ? `a wrong or missing "${way}"` : 'nothing that could be read'}`)

/** Some servers leave the ids of texts out. */
function idOf({ id = '', type }: Foreign): string {
  if (received.id(id) !== undefined) throw wrong(type, 'id')
  return id as string
}
