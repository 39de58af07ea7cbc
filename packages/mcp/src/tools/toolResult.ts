import type { LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { AgentError, type Json } from '@interleave/core'
import { isObject, readFile } from '@interleave/core/internal'
import type { JsonObject } from '../client/rpc.ts'

/** Matches media types that a model may receive. Others are only named. */
const shown = /^(?:image\/[a-z0-9.+-]{1,60}|application\/pdf)$/
type Content = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value']

/** The result of a call, as the app and the model receive it. */
export class ToolResult {
  readonly #from: string
  readonly #content: readonly JsonObject[]
  readonly #structured: Json | undefined

  /** Throws the error of a call that failed. */
  constructor(result: JsonObject, from: string) {
    const { content, structuredContent, isError } = result
    this.#from = from
    this.#content = Array.isArray(content) ? content.filter(isObject) : []
    this.#structured = isObject(structuredContent) ? structuredContent : undefined
    if (isError === true) throw new AgentError('tool_failed', this.#text() || `The tool failed in ${from}.`)
  }

  /** Returns the result for the log: media are stored once, in the model's part. */
  toJSON(): Json {
    if (this.#structured !== undefined) return this.#structured
    const isText = this.#content.every(({ type }) => type === 'text')
    return isText ? this.#text() : this.#content.map(described)
  }

  /** The result for the model, marked as foreign. */
  forModel(): LanguageModelV4ToolResultOutput {
    const mark = { trusted: false, from: this.#from }
    const read = this.#content.map((part) => ({ part, file: fileIn(part) }))
    const files = read.flatMap(({ file }) => file ?? [])
    const rest = read.flatMap(({ part, file }) => (file ? [] : [part]))
    if (files.length === 0) return { type: 'json', value: { ...mark, result: this.toJSON() } }
    const described = this.#structured ?? rest.map(describedText)
    return {
      type: 'content',
      value: [{ type: 'text', text: JSON.stringify({ ...mark, result: described }) }, ...files],
    }
  }

  #text(): string {
    return this.#content.flatMap(({ text }) => (typeof text === 'string' ? [text] : [])).join('\n')
  }
}

/** Returns a part without its bytes. */
function described(part: JsonObject): Json {
  const { data, resource, ...rest } = part
  if (isObject(resource)) {
    const { blob, ...others } = resource
    return { ...rest, resource: { ...others, ...sizeOf(blob) } } as Json
  }
  return { ...rest, ...sizeOf(data) } as Json
}

const describedText = (part: JsonObject): Json => (typeof part.text === 'string' ? part.text : described(part))

const sizeOf = (base64: unknown): object =>
  typeof base64 === 'string' ? { bytes: Math.floor((base64.length * 3) / 4) } : {}

/** Returns an image or a document as the model receives it; undefined for one that no model could read. */
function fileIn({ type, data, mimeType, resource }: JsonObject): Content[number] | undefined {
  const bytes = isObject(resource) ? resource.blob : type === 'image' ? data : undefined
  const media = isObject(resource) ? resource.mimeType : mimeType
  if (typeof bytes !== 'string' || typeof media !== 'string' || !shown.test(media)) return undefined
  return readFile({ type: 'data', data: bytes }, media)
}
