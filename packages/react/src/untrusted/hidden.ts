/**
 * Matches characters that are invisible or change how other text looks: default-ignorable, format and control
 * characters, lone surrogates, separators, blank glyphs, and stacked marks.
 */
const always = String.raw`[\p{Cf}\p{Default_Ignorable_Code_Point}\p{Cs}\p{Zl}\p{Zp}\u2800]|(?![\t\n])\p{Cc}|(?<=\p{M}{4})\p{M}+`

/** Joiners and shapes of scripts and emoji that need them: nothing is hidden there. */
const harmless = [
  // A family of emoji, and a heart that is to be red.
  String.raw`(?<=\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]?)\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[\p{Emoji}\p{Unified_Ideograph}])[\ufe0e\ufe0f]`,
  // Persian and the scripts of India part and join their letters by them.
  String.raw`(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])[\u200c\u200d](?=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Gujr}\p{sc=Guru}\p{sc=Knda}\p{sc=Mlym}\p{sc=Orya}\p{sc=Sinh}\p{sc=Taml}\p{sc=Telu}])`,
  // The end of a line, as Windows writes it.
  String.raw`\r(?=\n)`,
]

/** Creates an expression that finds each of them. Create one per use, because it has a cursor. */
export const hiddenCharacters = (): RegExp => new RegExp(`(?!${harmless.join('|')})(?:${always})`, 'gu')

/** Replaces each of them with a JSON escape. */
export const escapeHidden = (text: string): string =>
  text.replace(hiddenCharacters(), (found) =>
    Array.from({ length: found.length }, (_, i) => `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`).join(''),
  )

/** U+202E, or how many marks are piled up. */
export const codeOf = (found: string): string =>
  [...found].length > 1
    ? `${[...found].length} marks`
    : `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`

/** Returns the name of a well-known one. */
export const nameOf = (found: string): string => names[found] ?? 'a character that does not show'

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
  '\u202e': 'right-to-left override: what follows is shown backwards',
  '\u2060': 'word joiner',
  '\u2066': 'left-to-right isolate',
  '\u2067': 'right-to-left isolate',
  '\u2068': 'first strong isolate',
  '\u2069': 'end of an isolate',
  '\u2800': 'blank of Braille',
  '\u3164': 'filler of Hangul',
  '\ufeff': 'zero width no-break space',
}
