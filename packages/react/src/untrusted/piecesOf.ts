import { codeOf, escapeHidden, hiddenCharacters, nameOf } from './hidden.ts'
import { deceptiveAddresses } from './hostOf.ts'

/** A segment of a text for display. */
export type Piece =
  | { readonly type: 'text'; readonly text: string }
  /** A character that does not show by itself. */
  | { readonly type: 'hidden'; readonly code: string; readonly name: string }
  /** Stands behind an address that seems to lead elsewhere: where it leads. */
  | { readonly type: 'host'; readonly host: string }

/** Splits foreign text into segments, so that everything deceptive is its own segment. Omits nothing. */
export function piecesOf(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { end, host } of deceptiveAddresses(text)) {
    pieces.push(...visible(text.slice(at, end)), { type: 'host', host })
    at = end
  }
  return [...pieces, ...visible(text.slice(at))]
}

function visible(text: string): Piece[] {
  const pieces: Piece[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(hiddenCharacters())) {
    if (index > at) pieces.push({ type: 'text', text: text.slice(at, index) })
    pieces.push({ type: 'hidden', code: codeOf(found), name: nameOf(found) })
    at = index + found.length
  }
  if (at < text.length) pieces.push({ type: 'text', text: text.slice(at) })
  return pieces
}

/** The same in one text, for places that take nothing else: `a[U+202E]b`. */
export const plainText = (text: string): string => piecesOf(text).map(wordOf).join('')

function wordOf(piece: Piece): string {
  switch (piece.type) {
    case 'text':
      return piece.text
    case 'hidden':
      return `[${piece.code}]`
    case 'host':
      return ` [${piece.host}]`
  }
}

/** Returns true if a text has invisible characters. */
export const hasHidden = (text: string): boolean => hiddenCharacters().test(text)

/** JSON to read and edit. Characters that do not show are written as escapes, so what is shown is what it says. */
export const plainJson = (value: unknown): string => escapeHidden(JSON.stringify(value, null, 2) ?? '')
