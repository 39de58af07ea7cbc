import { AgentError, type Json } from '@interleave/core'
import { isObject, messageOf, parseJson } from '@interleave/core/internal'

/** A call as the model wrote it. */
interface WrittenCall {
  readonly tool: string
  readonly input: Json
}

/** The maximum characters of an answer. A longer one comes from a model that repeats itself. */
export const mostCharacters = 200_000
const head = /^[ \n\r\t]{0,9}\{[ \n\r\t]{0,9}"text"[ \n\r\t]{0,9}:[ \n\r\t]{0,9}"/
const mostHead = 64

/** Parses `{ "text": …, "calls": […] }` as it arrives: the text by chunk, and the calls at the end. */
export class AnswerReader {
  readonly #chunks: string[] = []
  /** The part of the text that is not decoded yet; before its beginning is found, the whole answer. */
  #tail = ''
  #state: 'before' | 'text' | 'after' = 'before'
  #text = ''

  /** Reads a chunk. Returns the text that it adds. */
  push(chunk: string): string {
    this.#chunks.push(chunk)
    if (this.#state === 'after') return ''
    this.#tail += chunk
    if (this.#state === 'before') this.#findText()
    const added = this.#state === 'text' ? this.#decode() : ''
    this.#text += added
    return added
  }

  /** Returns the remaining text, and the calls. Throws if the answer is not a complete object of this shape. */
  end(): { readonly text: string; readonly calls: readonly WrittenCall[] } {
    const { text, calls = [] } = readObject(this.#chunks.join(''))
    if (typeof text !== 'string' || !text.startsWith(this.#text)) throw malformed('its `text` is not a string')
    if (!Array.isArray(calls)) throw malformed('its `calls` are not a list')
    return { text: text.slice(this.#text.length), calls: calls.map(toCall) }
  }

  #findText(): void {
    const found = head.exec(this.#tail.slice(0, mostHead))
    if (found) {
      this.#state = 'text'
      this.#tail = this.#tail.slice(found[0].length)
    } else if (this.#tail.length >= mostHead) this.#state = 'after'
  }

  /** Decodes up to the closing quote, or to an incomplete part: an escape, or half of a character. */
  #decode(): string {
    const [written = ''] = decodable.exec(this.#tail) ?? []
    this.#tail = this.#tail.slice(written.length)
    if (this.#tail.startsWith('"')) this.#state = 'after'
    return unescaped(written)
  }
}

/** Matches whole characters and escapes. The first half of a pair waits until the second is whole. */
const decodable =
  /^(?:[^"\\\ud800-\udbff]|\\[^u]|\\u(?!d[89ab]).{4}|(?:[\ud800-\udbff]|\\u.{4})(?=[^\\]|\\[^u]|\\u.{4}))*/is

/** Decodes a string. An invalid escape is reported when the whole answer is parsed. */
function unescaped(written: string): string {
  try {
    return JSON.parse(`"${written}"`)
  } catch {
    return ''
  }
}

function readObject(answer: string): { readonly text?: unknown; readonly calls?: unknown } {
  let parsed: Json
  try {
    parsed = parseJson(answer, { maxLength: mostCharacters })
  } catch (error) {
    throw malformed(messageOf(error))
  }
  if (!isObject(parsed)) throw malformed('it is not an object')
  return parsed
}

function toCall(call: unknown): WrittenCall {
  const { tool, input } = Object(call)
  if (typeof tool !== 'string' || tool === '') throw malformed('a call has no `tool`')
  return { tool, input: input ?? {} }
}

/** Creates a retryable error, since a small model may do better with the next attempt. */
const malformed = (problem: string): AgentError =>
  new AgentError('model_malformed', `The answer of the built-in model cannot be read: ${problem}.`, { retryable: true })
