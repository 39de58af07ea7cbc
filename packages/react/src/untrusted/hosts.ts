/** Letters of Latin that differ clearly from a to z: ä, é, ø, ß. Not the dotless ı, nor dots below. */
const latin = String.raw`[a-z\u00df-\u00f6\u00f8-\u0130\u0132-\u0137\u0139-\u0148\u014a-\u017e]`

/**
 * Labels of a host that look like what they are: Latin with accents, or a script whose letters do not resemble Latin.
 * Those of Cyrillic and Greek need a letter that Latin does not have.
 */
const labels = [
  latin,
  String.raw`[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\u30fc]`,
  String.raw`\p{sc=Hang}`,
  String.raw`\p{sc=Thai}`,
  String.raw`\p{sc=Arab}`,
  String.raw`\p{sc=Hebr}`,
  String.raw`\p{sc=Deva}`,
  String.raw`\p{sc=Beng}`,
  String.raw`\p{sc=Taml}`,
  String.raw`\p{sc=Geor}`,
].map((letter) => String.raw`(?:${letter}|[\d-])+`)
const lookalike = [
  String.raw`(?=[\u0400-\u045f\d-]*[бгджзийлпфцчшщъыьэюя])[\u0400-\u045f\d-]+`,
  String.raw`(?=[\u0370-\u03ff\d-]*[γδζθλξπσφψω])[\u0370-\u03ff\d-]+`,
]
const plainLabel = new RegExp(`^(?:${[...labels, ...lookalike].join('|')})$`, 'u')

/** Returns true if a host in letters beyond ASCII, as it is written, can be taken for no other one. */
export const isPlainName = (written: string): boolean =>
  written
    .normalize('NFC')
    .toLowerCase()
    .split('.')
    .every((label) => plainLabel.test(label) && !label.startsWith('xn--'))

/** Scripts that are written right behind an address, without a space, and whose letters do not resemble Latin. */
const attached = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}\p{sc=Tibt}\p{sc=Arab}\p{sc=Hebr}\p{sc=Deva}\p{sc=Beng}\p{sc=Taml}\p{sc=Telu}\p{sc=Ethi}`

/** Punctuation of sentences: all but what addresses have. */
const punctuation = String.raw`(?![@:/\\%#&=+$.\-_~*^|\[\]])[\p{P}\p{S}]`

const dots = '.\u3002\uff0e\uff61'
const trailing = new RegExp(String.raw`[${dots}\p{Cs}]|${punctuation}`, 'u')
const behindLabel = new RegExp(String.raw`${punctuation}|(?<=[a-z\d]{2})[${attached}]`, 'iu')

/** Returns a host without the sentence around it: `example.com` of `example.com’s?`. Linear in its length. */
export function withoutSentence(written: string): string {
  let end = written.length
  while (end > 0 && trailing.test(written.charAt(end - 1))) end--
  const host = written.slice(0, end)
  // Only behind its last label: `example.com’s.evil.com` is another host.
  const start = Math.max(...[...dots].map((dot) => host.lastIndexOf(dot))) + 1
  const at = host.slice(start).search(behindLabel)
  return at > 0 ? host.slice(0, start + at) : host
}
