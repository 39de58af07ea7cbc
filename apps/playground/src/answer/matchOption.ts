/** The part of an option that a text can name. */
export interface Named {
  readonly value: string
  readonly label: string
  readonly description?: string
  readonly detail?: string
  readonly badge?: string
}

/** The characters of a text that may name an option. */
const longest = 300

/** Returns the only option that a text names: by its label or value, by its position, or by words of it alone. */
export function matchOption<Option extends Named>(options: readonly Option[], text: string): Option | undefined {
  if (text.length > longest) return undefined
  const said = plain(text)
  const same = options.filter(({ label, value }) => plain(label) === said || plain(value) === said)
  if (same.length > 0) return only(same)
  const at = positionIn(said)
  return (at === undefined ? undefined : options.at(at)) ?? matchWords(options, said)
}

/** Returns the option that shares most of its words with a text, if one does. */
export function nearestOption<Option extends Named>(options: readonly Option[], text: string): Option | undefined {
  const said = tellingIn(plain(text.slice(0, longest)))
  if (said.some((word) => refusals.has(word))) return undefined
  const shares = options.map((option) => said.filter((word) => wordsOf(option).has(word)).length)
  const most = Math.max(...shares)
  return most > 0 ? only(options.filter((_, index) => shares[index] === most)) : undefined
}

const only = <Item>(items: readonly Item[]): Item | undefined => (items.length === 1 ? items[0] : undefined)

/** Lower case, without accents, quotes and signs of currencies; `16.50` and `16h50` become `16:50`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[\p{M}"'“”‘’€$£!?,;()]/gu, '')
    .replace(/\b(\d{1,2})[.h](\d\d)\b/g, '$1:$2')
    .replace(/\.(?=\s|$)/g, '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .join(' ')

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth', 'ninth', 'tenth']
const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** Returns the position that the text is: "2", "#2", "option two", "the second one", "last". */
function positionIn(said: string): number | undefined {
  const [, word = ''] =
    /^(?:(?:the|option|number|nr|#) ?)*([a-z]+|\d{1,2})(?:st|nd|rd|th)?(?: (?:one|option))?$/.exec(said) ?? []
  if (word === 'last') return -1
  const number = Number(word)
  if (word !== '' && Number.isInteger(number)) return number > 0 ? number - 1 : undefined
  const at = ordinals.includes(word) ? ordinals.indexOf(word) : numbers.indexOf(word)
  return at < 0 ? undefined : at
}

/** Each word that tells something must be one of the option, so that "not the 16:50" names none. */
function matchWords<Option extends Named>(options: readonly Option[], said: string): Option | undefined {
  const telling = tellingIn(said)
  if (telling.length === 0) return undefined
  return only(options.filter((option) => telling.every((word) => wordsOf(option).has(word))))
}

const tellingIn = (said: string): string[] => said.split(' ').filter((word) => word !== '' && !filler.has(word))

const wordsOf = ({ value, label, description = '', detail = '', badge = '' }: Named): ReadonlySet<string> =>
  new Set(plain([value, label, description, detail, badge].join(' ')).split(/[\s→–-]+/))

/** With one of these, what a text names is what it does not mean. */
const refusals = new Set('not no dont never without except instead neither'.split(' '))

const filler = new Set(
  (
    'a an the i id like to would want take choose pick prefer book go with for at of on in please one option number it ' +
    'that this thats lets my and is be euro euros eur train trains flight flights hotel connection'
  ).split(' '),
)
