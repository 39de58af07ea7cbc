import type { LanguageModelV4StreamPart, LanguageModelV4Usage, SharedV4ProviderMetadata } from '@ai-sdk/provider'
import { AgentError, asModelError, isAgentError, malformed, messageOf } from '../error.ts'
import type { Delta, Thought } from '../event.ts'
import { fromJson, isObject, parseJson, type Writable } from '../json.ts'
import type { Part, ToolCallPart } from '../part.ts'
import { plainData, plainRecord, TurnTexts } from './turnTexts.ts'

/** The maximum size of a model turn. A larger or slower turn is cut off and counts as a failed attempt. */
export interface TurnCaps {
  /** The total characters of text, reasoning and tool input. Tool input counts a quarter. */
  maxCharacters: number
  /**
   * Bytes of all other stored content: files, sources, inputs and results of calls, metadata, warnings. Files count as
   * base64.
   */
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

/** The maximum number of texts, calls, files and other parts of a turn, since each is looked up and rendered. */
const mostKept = 5_000
/** The maximum stored length of an unreadable input: the same as for a readable one. */
const mostUnread = 65_536

/** The content of a stream so far. */
export interface TurnDraft {
  readonly parts: Part[]
  finish: Thought['finish'] | undefined
  warnings: Thought['warnings'] | undefined
  providerMetadata: Thought['providerMetadata'] | undefined
  responseId: string | undefined
  usage: LanguageModelV4Usage | undefined
  characters: number
  bytes: number
  received: number
}

export const emptyTurn = (): TurnDraft => ({
  parts: [],
  finish: undefined,
  warnings: undefined,
  providerMetadata: undefined,
  responseId: undefined,
  usage: undefined,
  characters: 0,
  bytes: 0,
  received: 0,
})

type Caps = Pick<TurnCaps, 'maxCharacters' | 'maxBytes' | 'maxParts'>
/** A stream part that has not been validated. */
type Foreign = Readonly<Partial<Record<string, unknown>>>

/** Turns the parts of one model stream into a turn of bounded plain data. Part ids are unique only within a call. */
export class TurnReader {
  readonly #turn: TurnDraft
  readonly #onDelta: (delta: Delta) => void
  readonly #caps: Caps
  #texts: TurnTexts | undefined = undefined
  #reasonings: TurnTexts | undefined = undefined
  /** Tools by the ids of the inputs that stream. */
  #tools: Map<string, string> | undefined = undefined

  constructor(turn: TurnDraft, onDelta: (delta: Delta) => void, caps: Caps) {
    this.#turn = turn
    this.#onDelta = onDelta
    this.#caps = caps
  }

  /** Throws `model_malformed` or `model_too_large` for parts that a log cannot store. */
  read(part: LanguageModelV4StreamPart): void {
    const { maxParts } = this.#caps
    if (++this.#turn.received > maxParts) throw tooLarge(`made of more than ${maxParts} parts of a stream`)
    let failure: Failed | undefined
    try {
      failure = this.#take(part as Foreign)
    } catch (error) {
      throw isAgentError(error) ? error : malformed(`data that is not plain JSON: ${messageOf(error)}`)
    }
    if (failure) throw asModelError(failure.error)
  }

  addPart(part: Part): void {
    const { parts } = this.#turn
    if (parts.length >= mostKept) throw tooLarge(`made of more than ${mostKept} texts, calls and other parts`)
    parts.push(part)
  }

  get spent(): number {
    return this.#turn.bytes
  }

  spend(bytes: number): void {
    const { maxBytes } = this.#caps
    this.#turn.bytes += bytes
    if (this.#turn.bytes > maxBytes) throw tooLarge(`more than ${maxBytes} bytes of data`)
  }

  #take(part: Foreign): Failed | undefined {
    const { type, providerMetadata } = part
    switch (type) {
      case 'text-delta':
      case 'reasoning-delta':
        return void this.#grow(type === 'text-delta' ? 'text' : 'reasoning', part)
      case 'text-start':
      case 'reasoning-start':
        return void this.#textsOf(type === 'text-start' ? 'text' : 'reasoning').start(idOf(part), providerMetadata)
      case 'text-end':
      case 'reasoning-end':
        return void this.#textsOf(type === 'text-end' ? 'text' : 'reasoning').end(idOf(part), providerMetadata)
      case 'tool-input-start':
        return void this.#startInput(part)
      case 'tool-input-delta':
        return void this.#growInput(part, part.delta)
      case 'tool-call':
        return void this.addPart(this.#toCall(part))
      case 'tool-result':
        if (!part.preliminary) this.addPart(this.#toPart({ ...part, result: part.result ?? null }))
        return
      case 'file':
      case 'reasoning-file':
      case 'source':
      case 'custom':
      case 'tool-approval-request':
        return void this.addPart(this.#toPart({ ...part }))
      case 'stream-start': {
        const warnings = plainData(part.warnings ?? [], this)
        if (!Array.isArray(warnings)) throw wrong(type, '')
        if (warnings.length > 0) this.#turn.warnings = fromJson<TurnDraft['warnings'] & {}>(warnings)
        return
      }
      case 'response-metadata':
        if (typeof part.id === 'string') this.#turn.responseId = idOf(part)
        return
      case 'finish':
        return void this.#finish(part)
      case 'error':
        return { error: part.error }
    }
    return undefined
  }

  #textsOf(kind: 'text' | 'reasoning'): TurnTexts {
    const texts = (kind === 'text' ? this.#texts : this.#reasonings) ?? new TurnTexts(kind, this)
    if (kind === 'text') this.#texts = texts
    else this.#reasonings = texts
    return texts
  }

  #grow(kind: 'text' | 'reasoning', part: Foreign): void {
    const { delta, type } = part
    if (typeof delta !== 'string') throw wrong(type, 'delta')
    this.#textsOf(kind).grow(idOf(part), delta, part.providerMetadata)
    this.#count(delta.length)
    this.#onDelta({ type: 'delta', kind, delta })
  }

  #growInput(part: Foreign, delta: unknown): void {
    const id = idOf(part)
    if (typeof delta !== 'string') throw wrong(part.type, 'delta')
    this.#count(delta.length / 4)
    this.#onDelta({ type: 'delta', kind: 'input', id, tool: this.#tools?.get(id) ?? '', delta })
  }

  #startInput(part: Foreign): void {
    const id = idOf(part)
    const { toolName } = part
    if (!isName(toolName)) throw wrong(part.type, 'toolName')
    this.#tools ??= new Map()
    if (this.#tools.size >= mostKept) throw tooLarge(`made of more than ${mostKept} calls`)
    this.spend(id.length)
    this.#tools.set(id, toolName)
    this.#growInput(part, '')
  }

  #count(characters: number): void {
    const { maxCharacters } = this.#caps
    this.#turn.characters += characters
    if (this.#turn.characters > maxCharacters) throw tooLarge(`longer than ${maxCharacters} characters`)
  }

  /** Returns the part with its provider's metadata. Invalid metadata is omitted, since nothing depends on it. */
  #toPart(given: Foreign): Part {
    const part = plainData(given, this) as Part & Foreign
    const members = membersOf[part.type]
    for (const name in members) if (!members[name]?.(part[name])) throw wrong(part.type, name)
    if (!('providerMetadata' in part) || isObject(part.providerMetadata)) return part
    const { providerMetadata: _, ...others } = part
    return others as Part
  }

  #toCall(part: Foreign): ToolCallPart {
    const { input: text } = part
    if (typeof text !== 'string') throw wrong(part.type, 'input')
    this.spend(Math.min(text.length, mostUnread))
    const call = this.#toPart({ ...part, input: '' }) as Writable<ToolCallPart>
    const invalid = problemOf(call.providerMetadata)
    try {
      // Several providers send an empty text for a call without arguments.
      call.input = text.trim() === '' ? {} : parseJson(text)
      if (invalid) call.invalid = invalid
    } catch (error) {
      call.input = text.slice(0, mostUnread)
      call.invalid = messageOf(error)
    }
    return call
  }

  #finish({ type, finishReason, usage, providerMetadata }: Foreign): void {
    const turn = this.#turn
    const finish = plainRecord(finishReason, this) as TurnDraft['finish']
    if (!isText(finish?.unified)) throw wrong(type, finish ? 'unified' : '')
    turn.finish = finish
    turn.usage = toCounts(plainRecord(usage, this))
    const metadata = plainRecord(providerMetadata, this) as TurnDraft['providerMetadata']
    if (metadata) turn.providerMetadata = metadata
  }
}

/** Returns token counts with both halves, whatever the provider sends. */
const toCounts = ({
  inputTokens,
  outputTokens,
  ...others
}: Readonly<Record<string, unknown>> = {}): LanguageModelV4Usage => ({
  ...others,
  inputTokens: (isObject(inputTokens) ? inputTokens : {}) as LanguageModelV4Usage['inputTokens'],
  outputTokens: (isObject(outputTokens) ? outputTokens : {}) as LanguageModelV4Usage['outputTokens'],
})

/** Boxed, because an error part may contain anything, also undefined. */
interface Failed {
  readonly error: unknown
}

const tooLarge = (what: string): AgentError => new AgentError('model_too_large', `The model's turn is ${what}.`)

const wrong = (type: unknown, way: string): AgentError =>
  malformed(`a "${type}" with ${way ? `a wrong or missing "${way}"` : 'nothing that could be read'}`)

/** Returns the id of a part. Some servers omit the ids of texts. */
function idOf({ id = '', type }: Foreign): string {
  if (!isId(id)) throw wrong(type, 'id')
  return id
}

/** Metadata of an invalid call in plain text. The call does not run, and the problem is its observation. */
export const problemMetadata = (problem: string): SharedV4ProviderMetadata => ({ interleave: { problem } })

/** Returns the problem from a call's metadata, if there is one. */
export function problemOf(metadata: SharedV4ProviderMetadata | undefined): string | undefined {
  const problem = metadata?.interleave?.problem
  return typeof problem === 'string' ? problem : undefined
}

/*
 * The rules for a provider's parts, so that every reader can handle them. Stricter than those for a log: older versions
 * wrote logs with other rules, and providers add to their parts.
 */

/** The maximum characters of an id. Some servers send signatures of several kilobytes as ids. */
const longestId = 65_536
/** The maximum characters of a tool's name. */
const longestName = 1_024

const isText = (value: unknown): value is string => typeof value === 'string'
const isId = (value: unknown): value is string => isText(value) && value.length <= longestId
const isName = (value: unknown): value is string => isText(value) && value.length <= longestName
const areWords = (value: unknown): boolean => value === undefined || value === null || isText(value)

type Members = Readonly<Record<string, (value: unknown) => boolean>>
const file: Members = { mediaType: isText, data: (value) => value !== undefined && value !== null }
const ofCall: Members = { toolCallId: isId, toolName: isName }

/** The members of the parts that are stored unchanged. */
const membersOf: Readonly<Partial<Record<Part['type'], Members>>> = {
  file,
  'reasoning-file': file,
  custom: { kind: areWords },
  source: { id: areWords, url: areWords, title: areWords, mediaType: areWords, filename: areWords },
  'tool-call': ofCall,
  'tool-result': ofCall,
  'tool-approval-request': { approvalId: isId, toolCallId: isId },
}
