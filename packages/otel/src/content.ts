import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Json } from '@interleave/core'
import { type Part, reportLater } from '@interleave/core/internal'

const maxDepth = 32

/** The mark at the end of a text that was cut before secrets were removed. No text of a model or a user has it. */
const cutMark = '…\u{10fffe}'
/** The characters before a cut that may be the beginning of a secret, such as a token: without its end it looks like none. */
const unsure = 4_096

/** Copies a value up to a number of characters, so that the cost is bounded. The rest becomes an ellipsis. */
class Clip {
  #left: number
  readonly #mark: string

  constructor(maxLength: number, mark = '…') {
    this.#left = maxLength
    this.#mark = mark
  }

  copy(value: unknown, depth = 0): Json {
    if (typeof value === 'string') return this.#text(value)
    if (typeof value !== 'object' || value === null) return this.#scalar(value)
    if (depth === maxDepth) return '…'
    if (value instanceof URL) return this.#text(value.href)
    if (ArrayBuffer.isView(value)) return this.#text(`${value.byteLength} bytes`)
    return Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth)
  }

  #text(whole: string): string {
    const text = whole.endsWith(cutMark) ? `${whole.slice(0, -cutMark.length).slice(0, -unsure)}…` : whole
    const { length } = text
    const cut = Math.max(0, this.#left)
    this.#left -= length + 2
    return length <= cut ? text : text.slice(0, cut) + this.#mark
  }

  #scalar(value: unknown): Json {
    this.#left -= 8
    return typeof value === 'number' || typeof value === 'boolean' ? value : null
  }

  #list(values: readonly unknown[], depth: number): Json {
    const list: Json[] = []
    this.#left -= 2
    for (const value of values) {
      if (this.#left <= 0) return [...list, '…']
      list.push(this.copy(value, depth + 1))
    }
    return list
  }

  #object(value: object, depth: number): Json {
    const copy: Record<string, Json> = {}
    this.#left -= 2
    for (const key in value) {
      if (!Object.hasOwn(value, key)) continue
      if (this.#left <= 0) {
        copy['…'] = '…'
        break
      }
      // Messages have no member of this name, and an assignment to it would change the prototype.
      if (key === '__proto__') continue
      this.#left -= key.length + 4
      const member = (value as Readonly<Record<string, unknown>>)[key]
      if (member !== undefined) copy[key] = this.copy(member, depth + 1)
    }
    return copy
  }
}

export interface ContentOptions {
  /** Removes secrets from each recorded value, such as `(value) => redact(value).value`. */
  redact?: (value: unknown) => unknown
}

/** Converts messages, inputs and outputs to attributes of bounded length. */
export class Content {
  readonly #redact: ((value: unknown) => unknown) | undefined
  readonly #maxLength: number
  readonly #known = new WeakMap<LanguageModelV4Message, string>()

  constructor({ redact }: ContentOptions, maxLength: number) {
    this.#redact = redact
    this.#maxLength = maxLength
  }

  json(value: unknown, longest: number = this.#maxLength): string {
    // Escapes make JSON longer than its value, so a copy that turns out too long is made again, shorter.
    // Quotes and the ellipsis of a cut have room beside the copy.
    for (let maxLength = longest - 8; maxLength >= 1; maxLength = Math.floor(maxLength / 2)) {
      const json = JSON.stringify(this.#copy(value, maxLength))
      if (json.length <= longest) return json
    }
    return '"…"'
  }

  /** Converts messages, passed newest first, to a list in chronological order. The oldest are omitted if it is full. */
  messages(newest: Iterable<LanguageModelV4Message>): string {
    const list: string[] = []
    let left = this.#maxLength - 2
    for (const message of newest) {
      const json = this.#message(message)
      if (json.length > left) {
        if (left >= shortest) list.push(this.json(messageOf(message), left))
        break
      }
      list.push(json)
      left -= json.length + 1
    }
    return `[${list.reverse().join(',')}]`
  }

  /** Converts a message, once: a prompt contains the messages of the previous prompt. */
  #message(message: LanguageModelV4Message): string {
    const known = this.#known.get(message)
    if (known !== undefined) return known
    const json = this.json(messageOf(message), this.#maxLength - 2)
    this.#known.set(message, json)
    return json
  }

  /** Returns the message of an error. */
  text(value: string): string {
    return String(this.#copy(value, this.#maxLength)).slice(0, this.#maxLength)
  }

  #copy(value: unknown, maxLength: number): Json {
    if (!this.#redact) return new Clip(maxLength).copy(value)
    try {
      return new Clip(maxLength).copy(this.#redact(new Clip(2 * maxLength + unsure, cutMark).copy(value)))
    } catch (error) {
      // A value that may contain a secret is not recorded, but its span is.
      reportLater(error)
      return '…'
    }
  }
}

/** The minimum characters of the oldest message that are worth recording. */
const shortest = 128

/** A message in the format of the semantic conventions. */
interface TracedMessage {
  readonly role: string
  readonly parts: readonly object[]
}

type MessagePart = Exclude<LanguageModelV4Message['content'], string>[number] | Part

export const messageOf = ({ role, content }: LanguageModelV4Message): TracedMessage => ({
  role,
  parts: typeof content === 'string' ? [{ type: 'text', content }] : content.map(partOf),
})

/** Returns the message of a turn, as the one item of `gen_ai.output.messages`. */
export const outputOf = (parts: readonly Part[], finish: string | undefined): readonly object[] => [
  {
    role: 'assistant',
    parts: parts.map(partOf),
    finish_reason: finish === 'tool-calls' ? 'tool_call' : (finish ?? 'error'),
  },
]

function partOf(part: MessagePart): object {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, content: part.text }
    case 'tool-call':
      return { type: 'tool_call', id: part.toolCallId, name: part.toolName, arguments: part.input }
    case 'tool-result':
      return { type: 'tool_call_response', id: part.toolCallId, response: responseOf(part) }
    case 'file':
      return fileOf(part)
    default:
      return { type: part.type.replaceAll('-', '_') }
  }
}

function responseOf(part: Extract<MessagePart, { type: 'tool-result' }>): unknown {
  if ('result' in part) return part.result
  return resultValue(part.output)
}

type ContentOutput = Extract<
  Extract<MessagePart, { type: 'tool-result'; output: unknown }>['output'],
  { type: 'content' }
>

/** Returns the value of a result, as the model receives it, without the bytes of its files. */
export function resultValue(output: { readonly type: string }): unknown {
  if (output.type === 'content')
    return (output as ContentOutput).value.map((part) => (part.type === 'file' ? fileOf(part) : part))
  if ('value' in output) return output.value
  return { denied: true, ...('reason' in output && { reason: output.reason }) }
}

/** Returns the address of a file. The bytes of a file are not recorded. */
function fileOf({ mediaType, data }: Extract<MessagePart, { type: 'file' }>): object {
  const [modality] = mediaType.split('/', 1)
  const file = { modality, mime_type: mediaType }
  if (data.type === 'url') return { type: 'uri', ...file, uri: String(data.url) }
  if (data.type === 'text') return { type: 'text', content: data.text }
  return { type: 'blob', ...file }
}
