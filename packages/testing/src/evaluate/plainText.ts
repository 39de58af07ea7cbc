import { AgentError } from '@interleave/core'

/** Returns a text without control characters that steer a terminal, and without marks that change its direction. */
export const plainText = (text: string): string =>
  text.replace(/[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')

/** Returns a value as JSON of at most 200 characters, for a message. */
export function short(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}
const longest = 200

/** Returns the text of a file: UTF-8, or UTF-16 with a byte order mark. Throws for other bytes. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  const encoding =
    first === 0xff && second === 0xfe ? 'utf-16le' : first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8'
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AgentError('options_invalid', 'The file is not text in UTF-8. Save it as UTF-8.', { cause })
  }
}
