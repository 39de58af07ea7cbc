import { isNumberWord, type Mention, mentionsOf } from './mention.ts'
import { concepts, words } from './tokenise.ts'

const capital =
  /(?<![\p{L}\p{N}])\p{Lu}[\p{L}'’.-]*[\p{L}](?:\s+(?:(?:de|da|do|of|the|la|le|el|van|von|del)\s+){0,2}\p{Lu}[\p{L}'’-]*)*/gu

/** Proper nouns: words with a capital that are not just the beginning of a sentence. */
export function names(text: string): Mention[] {
  return mentionsOf(text, capital).flatMap((mention) => {
    const opens = mention.start === 0 || /[.!?:]\s*$|^\s*$/.test(text.slice(0, mention.start))
    const [first = '', ...rest] = mention.value.split(/\s+/)
    if (isCommon(first)) {
      const value = rest.join(' ')
      return value === '' ? [] : [{ ...mention, value, start: mention.end - value.length, before: first.toLowerCase() }]
    }
    return opens && isOpening(first, text) ? [] : [mention]
  })
}

/** Names in lower case too, where a preposition says that one follows: "in lisbon". */
export function namesAfter(text: string, prepositions: readonly string[]): Mention[] {
  const pattern = new RegExp(`(?<![\\p{L}])(?:${prepositions.join('|')})\\s+(\\p{L}[\\p{L}'’-]+)`, 'giu')
  return mentionsOf(text, pattern).flatMap((mention) => {
    const { value, end } = mention
    if (isCommon(value) || concepts(value).length === 0) return []
    const before = words(text.slice(mention.start, end))[0] ?? ''
    return [{ ...mention, start: end - value.length, before }]
  })
}

/** A sentence may begin with a verb or with a name; only a text of few words is taken for a name alone. */
const isOpening = (first: string, text: string): boolean => words(text).length > 2 || isCommon(first)

const common = new Set(
  (
    'i a an the and or but what which who where when why how is are was were will would can could do does did please tell ' +
    'give show find search look get book reserve buy order calculate compute convert add subtract multiply divide list ' +
    'read open load write create make send email mail explain describe translate summarise summarize compare plan check ' +
    'use need want it that this these those my me you we they he she if then also now after before so thanks thank hello ' +
    'hi hey yes no ok okay monday tuesday wednesday thursday friday saturday sunday january february march april may june ' +
    'july august september october november december today tomorrow yesterday tonight next last morning afternoon evening ' +
    'in at on to from for with by of about into week month year day days nights celsius fahrenheit kelvin'
  ).split(' '),
)
const isCommon = (word: string): boolean => common.has(word.toLowerCase()) || isNumberWord(word)
