/**
 * Returns the claims of a page: its sentences and rows of tables that give a number, a default or a code of an error, or say "never",
 * "always", "only", "once", "twice", "at most", "at least" or "exactly". Code blocks, headings, and sentences that name their test themselves
 * are none: other tests check them.
 */
export function claimsOf(page: string, codes: readonly string[]): readonly string[] {
  return [...new Set(sentencesOf(page).filter((sentence) => isClaim(sentence, codes)))]
}

/** Code blocks, comments, headings, and the heads of tables. */
const nothing = /^( *)(`{3,})[^\n`]*\n[\s\S]*?^ *\2 *$|<!--[\s\S]*?-->|^#.*$|^\|.*\n\|[-:| ]+\|$/gm
const blockStart = /\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|\n(?=\|)/
const image = /!\[[^\]]*\]\([^)]*\)/g
const link = /\[((?:`[^`]*`|[^\]])*)\]\([^)]*\)/g
const namesItsTest = /\.test(?:-d)?\.tsx?\b/

/** The sentences and rows of a page as one line each, with the words of links alone. */
function sentencesOf(page: string): readonly string[] {
  return page
    .replaceAll(nothing, '\n\n')
    .split(blockStart)
    .map((block) => block.replaceAll(/\s+/g, ' ').trim())
    .flatMap((block) => (block.startsWith('|') ? [block.slice(1, -1).trim()] : partsOf(block)))
    .filter((sentence) => !namesItsTest.test(sentence))
    .map((sentence) => sentence.replaceAll(image, '').replaceAll(link, '$1'))
}

const code = /`[^`]*`/g
const sentenceEnd = /(?<=[.!?:](?:\*\*)?) +(?=[A-Z`*"“[])/

/** Splits a paragraph or an item of a list into sentences. A point inside of code ends none. */
function partsOf(block: string): readonly string[] {
  const text = block.replace(/^(?:[-*]|\d+\.) /, '')
  const spans = [...text.matchAll(code)].map(([span]) => span)
  const masked = text.replaceAll(code, '``').split(sentenceEnd)
  return masked.map((part) => part.replaceAll('``', () => spans.shift() ?? ''))
}

const said = /\b(?:defaults?|never|always|at most|at least|exactly|only|no more than|up to)\b/i
/** As often as that, and not "at once", "once it is there". */
const often = /(?<!\bat )\bonce(?=[.,;:]| per\b| by\b| \||$)|\btwice\b/i
const several = '(?:three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty|thirty|sixty|hundred|thousand)'
const time = '(?:(?:milli)?seconds|second(?! \\w)|(?:minute|hour|day|week)s?)'
const amount = new RegExp(`\\b(?:${several} \\w+|(?:a|an|one|two) (?:${time}|bytes|times|levels)\\b)`, 'i')

/** Numbers that say which one, and not how many: versions, dates, names of standards, steps and pages. */
const names = new RegExp(
  [
    /\b\d+\.(?:\d+\.\d+|x)\b/,
    /\b\d{4}-\d\d(?:-\d\d)?\b/,
    /\b(?!(?:A|About|After|An|At|By|For|From|In|Of|Only|Over|The|To|Under|Until|Up|With|Within)\b)[A-Z][\w.+-]*[ /]\d[\d.+]*(?:,? (?:and|or|to) \d+)*\b/,
    /\bsteps? \d+(?: of \d+)?/,
    /\b(?:spring|autumn|since|of) 20\d\d\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
)

function isClaim(sentence: string, codes: readonly string[]): boolean {
  const spans = [...sentence.matchAll(/`([^`]*)`/g)].map(([, span = '']) => span)
  const prose = sentence.replaceAll(/`(?!\d[\d_.,]*`)[^`]*`/g, '``').replaceAll(names, '')
  return (
    said.test(prose) ||
    often.test(prose) ||
    amount.test(prose) ||
    /\b\d/.test(prose) ||
    spans.some((span) => codes.includes(span))
  )
}
