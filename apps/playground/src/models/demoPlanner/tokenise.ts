/** The words of a text in lower case; `camelCase` and `snake_case` names come apart. */
export function words(text: string): string[] {
  const apart = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
  return apart.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

/** Returns the topics of a text's words: without filler, endings cut, words of one meaning made one. */
export function concepts(text: string): string[] {
  return [...new Set(words(text).filter(isContent).map(concept))]
}

/** Two words of one concept mean the same here: `calculates` and `compute`, `flights` and `flight`. */
export function concept(word: string): string {
  const cut = stem(word.toLowerCase())
  return meanings.get(cut) ?? cut
}

const isContent = (word: string): boolean =>
  !filler.has(word) && !/^\d+$/.test(word) && (word.length > 1 || /\p{Lo}/u.test(word))

function stem(word: string): string {
  if (word.length <= 3) return word
  const cut = word.replace(/(?<=.{3})(?:ations?|ators?|ating|ated|ates?)$/, '')
  if (cut !== word) return cut
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^su i])s$/, '')
    .replace(/(?<=.{3})(?:ing|ed|er)$/, '')
    .replace(/(?<=.{3})e$/, '')
    .replace(/([bdgmnprt])\1$/, '$1')
}

const filler = new Set(
  (
    'a an the and or but of to in into on at by for from with without about as is are was were be been am do does did ' +
    'can could will would shall should may might must i me my mine you your yours we us our it its this that these those ' +
    'he she they them his her their what which who whom whose when where why how please tell give get let make want need ' +
    'like would use using used tool value values input output result results return returns s t re ll ve m d if then than ' +
    'so some any all each every one no not just also too there here up out go now yes ok okay thing things something'
  ).split(' '),
)

/** Groups of everyday words that ask for the same. */
const groups = [
  'search find look lookup seek retrieve fetch',
  'list show display enumerate',
  'calculate compute evaluate calculation arithmetic maths math calculator solve expression formula',
  'add plus sum total',
  'subtract minus difference',
  'multiply times product',
  'divide divided quotient',
  'convert conversion change exchange transform',
  'weather rain rainy sunny snow forecast umbrella temperature warm cold',
  'book reserve reservation booking order buy purchase',
  'hotel accommodation room stay lodging weekend overnight',
  'flight fly plane airline',
  'trip journey travel vacation holiday',
  'email mail e-mail',
  'send deliver post',
  'delete remove erase discard',
  'create new write compose draft',
  'read open load view',
  'explain describe definition define',
  'average mean',
  'documentation docs doc manual guide handbook',
  'cost price fare',
  'day date',
  'city town place location',
  'translate translation',
  'summarise summarize summary overview',
  'file csv spreadsheet table',
  'compare comparison versus',
  'max maximum highest largest biggest most greatest',
  'min minimum lowest smallest least fewest',
]
const meanings = new Map(
  groups.flatMap((group) => group.split(' ').map((word) => [stem(word), stem(group.split(' ')[0] ?? word)] as const)),
)

/** The name of a tool or a field in words: `searchHotels` is "search hotels". */
export const spaced = (name: string): string => words(name).join(' ')
export const shorten = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text

/** Finds a text as whole words, in any case. */
export const wordsPattern = (text: string): RegExp =>
  new RegExp(`(?<![\\p{L}\\p{N}])${text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')}(?![\\p{L}\\p{N}])`, 'giu')
