/** The calculation that a text asks for, in signs: "12 times 7" is `12 * 7`. `it` is the value of what went before. */
export function arithmetic(text: string, it?: number): string | undefined {
  const signs = toSigns(text)
  const found = longest(signs.match(/[-+(]*(?:\d|[a-z]+\()[\d\s.+\-*/^%()a-z,!]*/gi) ?? [])
  const whole = found && tidy(found)
  if (whole && isCalculation(whole)) return whole
  if (it === undefined) return undefined
  const rest = signs.match(/(?:^|\s)([*/+^-])\s*(\d+(?:\.\d+)?)/)
  if (rest) return `${it} ${rest[1]} ${rest[2]}`
  return /\bsquare root\b|\bsqrt\b/i.test(text) ? `sqrt(${it})` : undefined
}

const number = String.raw`(-?\d+(?:\.\d+)?)`
const rules: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d),(?=\d{3}\b)/g, ''],
  [/[×·]/g, '*'],
  [/÷/g, '/'],
  [/−/g, '-'],
  [new RegExp(`${number}\\s*(?:%|percent)\\s+of\\s+${number}`, 'gi'), '$1 / 100 * $2'],
  [new RegExp(`\\b(?:add|sum(?: of)?)\\s+${number}\\s+(?:and|to|with)\\s+${number}`, 'gi'), '$1 + $2'],
  [new RegExp(`\\bsubtract\\s+${number}\\s+from\\s+${number}`, 'gi'), '$2 - $1'],
  [new RegExp(`\\bdifference (?:of|between)\\s+${number}\\s+and\\s+${number}`, 'gi'), '$1 - $2'],
  [new RegExp(`\\b(?:multiply|product of)\\s+${number}\\s+(?:by|and|with)\\s+${number}`, 'gi'), '$1 * $2'],
  [new RegExp(`\\bdivide\\s+${number}\\s+by\\s+${number}`, 'gi'), '$1 / $2'],
  [new RegExp(`\\b(?:square root of|root of)\\s+${number}`, 'gi'), 'sqrt($1)'],
  [/\bdouble\b/gi, ' * 2 '],
  [/\btriple\b/gi, ' * 3 '],
  [/\bhalve\b/gi, ' / 2 '],
  [/\b(?:multipl(?:y|ied)|times)(?:\s+(?:it|that|this|the result))?(?:\s+by)?\b/gi, ' * '],
  [/\bdivided?(?:\s+(?:it|that|this|the result))?(?:\s+by)?\b/gi, ' / '],
  [/\b(?:plus|add)(?:\s+(?=\d))?/gi, ' + '],
  [/\b(?:minus|less|subtract)\b/gi, ' - '],
  [/\b(?:to the power of|raised to)\b/gi, ' ^ '],
  [/\bsquared\b/gi, '^ 2'],
  [/\bcubed\b/gi, '^ 3'],
  [/(?<=\d)\s*x\s*(?=\d)/gi, ' * '],
]

const toSigns = (text: string): string => rules.reduce((said, [words, signs]) => said.replace(words, signs), text)

/** Ends where the words begin that are neither numbers nor functions. */
function tidy(found: string): string {
  const end = found.search(/(?<![a-z])(?!(?:sqrt|sin|cos|tan|log|exp|abs|round|pi|e)\b)[a-z]+/i)
  const cut = (end < 0 ? found : found.slice(0, end)).replace(/\s+/g, ' ')
  return cut.replace(/(?<![\s.,+\-*/^(!])[\s.,+\-*/^(!]+$/, (tail) => (tail.startsWith('!') ? '!' : '')).trim()
}

const isCalculation = (signs: string): boolean =>
  /\d/.test(signs) && (/\d\s*[-+*/^%!]|\)/.test(signs) || /[a-z]\(/i.test(signs))

const longest = (texts: readonly string[]): string | undefined =>
  texts.toSorted((a, b) => tidy(b).length - tidy(a).length)[0]
