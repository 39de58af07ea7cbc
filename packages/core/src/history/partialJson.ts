import { type Json, parseJson } from '../json.ts'

/** The longest beginning that is read, in characters, since each delta reads it again. */
const mostRead = 65_536
const deepest = 30

/**
 * Returns the value of a JSON text that still streams, as far as it has arrived; undefined if there is none yet, or if the
 * text is not JSON. A string may be incomplete. A number, a name and a literal appear once they are complete.
 */
export function partialJson(text: string): Json | undefined {
  const read = text.slice(0, mostRead)
  const closed = closedJson(read)
  if (closed === undefined) return undefined
  try {
    return parseJson(closed, { maxLength: 2 * mostRead })
  } catch {
    return undefined
  }
}

/** A position after which the text is complete JSON, once the closers are added. */
interface Cut {
  readonly at: number
  readonly closers: string
}

/** Returns the longest beginning that can be completed, completed. */
function closedJson(text: string): string | undefined {
  let closers = ''
  let cut: Cut | undefined
  /** The place of a name: after `{`, or after `,` inside of one. */
  let awaitsName = false
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string
    if (char === '"') {
      const end = endOfString(text, at)
      const isName = awaitsName && closers[0] === '}'
      if (end < 0) return isName || !mayBegin(cut, closers) ? closedAt(text, cut) : openString(text, at, closers)
      at = end
      if (!isName) cut = { at: at + 1, closers }
      awaitsName = false
    } else if (char === '{' || char === '[') {
      if (closers.length >= deepest) break
      closers = (char === '{' ? '}' : ']') + closers
      awaitsName = char === '{'
      cut = { at: at + 1, closers }
    } else if (char === '}' || char === ']') {
      closers = closers.slice(1)
      awaitsName = false
      cut = { at: at + 1, closers }
    } else if (char === ',') {
      // A number or a literal ends here.
      cut = { at, closers }
      awaitsName = closers[0] === '}'
    }
  }
  return closedAt(text, cut)
}

/** Text outside of an object or a list is no streamed JSON, unless it is the whole value. */
const mayBegin = (cut: Cut | undefined, closers: string): boolean => cut === undefined || closers !== ''

const closedAt = (text: string, cut: Cut | undefined): string | undefined => cut && text.slice(0, cut.at) + cut.closers

/** Returns the index of the closing quote; -1 if it has not arrived. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  return -1
}

/** Completes a string value, without an escape sequence that has arrived in part. */
function openString(text: string, start: number, closers: string): string {
  let end = start + 1
  while (end < text.length) {
    const width = text[end] !== '\\' ? 1 : text[end + 1] === 'u' ? 6 : 2
    if (end + width > text.length) break
    end += width
  }
  return `${text.slice(0, end)}"${closers}`
}
