import type { LanguageModelV4FilePart } from '@ai-sdk/provider'
import { DEV } from '#checks'
import { isObject } from '../../json.ts'
import { assertOption } from '../../options.ts'

/**
 * A file's bytes, its address, or the ids of its upload by provider. A string is base64, or a URL with `https:`, `http:`
 * or `data:`.
 */
export type FileData =
  | string
  | URL
  | Uint8Array
  | ArrayBuffer
  | Readonly<Record<string, string>>
  | LanguageModelV4FilePart['data']

/** The name of a file, and options of its provider. */
export type FileOptions = Pick<LanguageModelV4FilePart, 'filename' | 'providerOptions'>

/**
 * A file of a message, or of what `toModelOutput` of a tool returns. Omit `mediaType` for a `data:` URL, which
 * has its own.
 *
 * @example
 * run.say([{ type: 'text', text: 'Which museum is this?' }, file(await photo.arrayBuffer(), photo.type)])
 */
export function file(data: FileData, mediaType?: string, options: FileOptions = {}): LanguageModelV4FilePart {
  const part = readFile(data, mediaType, options)
  const advice = 'Give bytes, base64 or an address, and a media type: file(await blob.arrayBuffer(), "image/png").'
  assertOption(part !== undefined, DEV && `file() cannot read this, and no provider could. ${advice}`)
  return part
}

/** Returns a file of a message; undefined for one that no provider could read. */
export function readFile(
  given: unknown,
  mediaType?: string,
  options: FileOptions = {},
): LanguageModelV4FilePart | undefined {
  const read = readData(given)
  const media = mediaType || read?.mediaType
  return read && typeof media === 'string' ? { ...options, type: 'file', mediaType: media, data: read.data } : undefined
}

type Data = LanguageModelV4FilePart['data']

interface Read {
  readonly data: Data
  /** The media type that the address names. */
  readonly mediaType?: string | undefined
}

function readData(given: unknown): Read | undefined {
  if (typeof given === 'string') return isAddress(given) ? readAddress(given) : readBase64(given)
  if (isUrl(given)) return readAddress(given.href)
  const bytes = bytesOf(given)
  if (bytes) return { data: { type: 'data', data: bytes } }
  return isObject(given) ? readTagged(given) : undefined
}

function readTagged(given: Readonly<Record<string, unknown>>): Read | undefined {
  switch (given.type) {
    case 'data':
      return typeof given.data === 'string' ? readBase64(given.data) : bytesOf(given.data) && readData(given.data)
    case 'url':
      return isUrl(given.url) || typeof given.url === 'string' ? readAddress(String(given.url)) : undefined
    case 'text':
      return typeof given.text === 'string' ? { data: { type: 'text', text: given.text } } : undefined
    case 'reference':
      return readReference(given.reference)
    default:
      return readReference(given)
  }
}

/** The ids of an uploaded file, by provider. */
function readReference(given: unknown): Read | undefined {
  if (!isObject(given)) return undefined
  const ids = Object.values(given)
  const isReference = ids.length > 0 && ids.every((id) => typeof id === 'string')
  return isReference ? { data: { type: 'reference', reference: given as Record<string, string> } } : undefined
}

/** Returns true for a URL. Compares the tag, since each frame has its own classes. */
const isUrl = (given: unknown): given is URL => Object.prototype.toString.call(given) === '[object URL]'

function bytesOf(given: unknown): Uint8Array | undefined {
  if (ArrayBuffer.isView(given)) return new Uint8Array(given.buffer, given.byteOffset, given.byteLength)
  const isBuffer = Object.prototype.toString.call(given) === '[object ArrayBuffer]'
  return isBuffer ? new Uint8Array(given as ArrayBuffer) : undefined
}

const isAddress = (text: string): boolean => /^[a-z][a-z0-9+.-]{1,31}:/i.test(text)

function readAddress(address: string): Read | undefined {
  // No provider can load an address that only this page can load.
  if (/^blob:/i.test(address)) return undefined
  if (!/^data:/i.test(address))
    return URL.canParse(address) ? { data: { type: 'url', url: new URL(address) } } : undefined
  const comma = address.indexOf(',')
  if (comma < 0) return undefined
  const [mediaType = '', ...parameters] = address.slice('data:'.length, comma).split(';')
  const content = address.slice(comma + 1)
  const isBase64 = parameters.at(-1)?.toLowerCase() === 'base64'
  const read = isBase64 ? readBase64(content) : readText(content)
  return read && { ...read, mediaType: mediaType || 'text/plain' }
}

const readBase64 = (data: string): Read | undefined =>
  data === '' || /[^A-Za-z0-9+/_=\s-]/.test(data) ? undefined : { data: { type: 'data', data } }

function readText(encoded: string): Read | undefined {
  try {
    return { data: { type: 'text', text: decodeURIComponent(encoded) } }
  } catch {
    return undefined
  }
}
