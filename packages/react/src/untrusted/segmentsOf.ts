import { namedAddresses } from './addresses.ts'

/** A segment of a text for display. */
export type TextSegment =
  | { readonly type: 'text'; readonly text: string }
  /** An invisible character. */
  | { readonly type: 'hidden'; readonly code: string; readonly name: string }
  /** The real host of the misleading address before it. */
  | { readonly type: 'host'; readonly host: string }
  /** The host of the address before it, as the network spells it. It is not misleading, but has other letters than ASCII. */
  | { readonly type: 'ascii'; readonly host: string }

/** Splits foreign text into segments, so that everything deceptive is its own segment. Omits nothing. */
export function segmentsOf(text: string): readonly TextSegment[] {
  const segments: TextSegment[][] = []
  let at = 0
  for (const { end, host, deceives } of namedAddresses(text)) {
    segments.push(visible(text.slice(at, end)), [{ type: deceives ? 'host' : 'ascii', host }])
    at = end
  }
  return [...segments, visible(text.slice(at))].flat()
}

function visible(text: string): TextSegment[] {
  const segments: TextSegment[] = []
  let at = 0
  for (const { 0: found, index } of text.matchAll(hiddenCharacters())) {
    if (index > at) segments.push({ type: 'text', text: text.slice(at, index) })
    segments.push({ type: 'hidden', code: codeOf(found), name: nameOf(found) })
    at = index + found.length
  }
  if (at < text.length) segments.push({ type: 'text', text: text.slice(at) })
  return segments
}

/** Returns the segments as one string, for attributes and options: `a[U+202E]b`. */
export const plainText = (text: string): string => wordsOf(segmentsOf(text))

export const wordsOf = (segments: readonly TextSegment[]): string => segments.map(wordOf).join('')

function wordOf(segment: TextSegment): string {
  switch (segment.type) {
    case 'text':
      return segment.text
    case 'hidden':
      return `[${segment.code}]`
    case 'host':
      return ` [${segment.host}]`
    case 'ascii':
      return ` (${segment.host})`
  }
}

/** Returns true if a text has invisible characters. */
export const hasHidden = (text: string): boolean => hiddenCharacters().test(text)

/** Returns a value as JSON to read and edit, with invisible characters as escapes. */
export const plainJson = (value: unknown): string => escapeHidden(JSON.stringify(value, null, 2) ?? '')

/**
 * Matches marks that pile up on one character. Browsers lay out a thousand of them at once, but a hundred thousand in
 * minutes.
 */
const mark = String.raw`[\p{M}\p{Emoji_Modifier}]`

/** Returns a text with at most 30 marks on each character, which a page can show whole. */
export const unpiled = (text: string): string => text.replace(new RegExp(`(${mark}{30})${mark}+`, 'gu'), '$1…')

/** Matches characters that are invisible or change how other text looks. */
const always = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Zl}\p{Zp}\u2800\u{1d159}\u{16fe4}]|(?![\t\n])\p{Cc}|(?<=${mark}{4})${mark}+`

const nation = String.raw`(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})`

/** Joiners and variation selectors that scripts and emoji need, and that hide nothing. */
const legitimate = [
  // Emoji such as a family, or a red heart.
  String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Emoji}\p{Unified_Ideograph}])[\ufe0e\ufe0f]`,
  // Persian and Indic scripts separate and join letters with them.
  String.raw`(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d](?=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])`,
  // A Windows line ending.
  String.raw`\r(?=\n)`,
  // The flags of England, Scotland and Wales: the tags gbeng, gbsct and gbwls. Others may spell a message.
  String.raw`(?<=\u{1f3f4})\u{e0067}\u{e0062}${nation}\u{e007f}`,
  String.raw`(?<=\u{1f3f4}\u{e0067})\u{e0062}${nation}\u{e007f}`,
  String.raw`(?<=\u{1f3f4}\u{e0067}\u{e0062})${nation}\u{e007f}`,
  String.raw`(?<=\u{1f3f4}\u{e0067}\u{e0062}[\u{e0065}\u{e0073}\u{e0077}])(?:\u{e006e}\u{e0067}|\u{e0063}\u{e0074}|\u{e006c}\u{e0073})\u{e007f}`,
  String.raw`(?<=\u{1f3f4}\u{e0067}\u{e0062}[\u{e0065}\u{e0073}\u{e0077}][\u{e006e}\u{e0063}\u{e006c}])[\u{e0067}\u{e0074}\u{e0073}]\u{e007f}`,
  String.raw`(?<=\u{1f3f4}\u{e0067}\u{e0062}${nation})\u{e007f}`,
]

/** Creates an expression that finds each hidden character. Create one per use, because it has a cursor. */
const hiddenCharacters = (): RegExp => new RegExp(`(?!${legitimate.join('|')})(?:${always})`, 'gu')

/** Replaces each hidden character with a JSON escape. */
export const escapeHidden = (text: string): string =>
  text.replace(hiddenCharacters(), (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

/** Returns the code point, or the number of stacked marks: U+202E, 12 marks. */
const codeOf = (found: string): string =>
  [...found].length > 1
    ? `${[...found].length} marks`
    : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns the name of a well-known hidden character. */
const nameOf = (found: string): string => names[found] ?? invisible

export const invisible = 'invisible character'
export const turnsText = 'right-to-left override: the text after it is shown backwards'

const names: Readonly<Record<string, string>> = {
  '\u0000': 'null',
  '\u001b': 'escape',
  '\u00ad': 'soft hyphen',
  '\u061c': 'Arabic letter mark',
  '\u200b': 'zero width space',
  '\u200c': 'zero width non-joiner',
  '\u200d': 'zero width joiner',
  '\u200e': 'left-to-right mark',
  '\u200f': 'right-to-left mark',
  '\u202a': 'left-to-right embedding',
  '\u202b': 'right-to-left embedding',
  '\u202c': 'end of a change of direction',
  '\u202d': 'left-to-right override',
  '\u202e': turnsText,
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of an isolate',
  '\u2800': 'Braille blank',
  '\u3164': 'Hangul filler',
  '\u{16fe4}': 'Khitan filler',
  '\u{1d159}': 'null notehead',
  '\ufeff': 'zero width no-break space',
}
