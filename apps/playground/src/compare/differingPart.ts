/** A text in three: what it has in common with another at its beginning and end, and in between what it has alone. */
export interface DifferingPart {
  readonly before: string
  readonly own: string
  readonly after: string
}

/** Word by word, so that no word is torn. */
export function differingPart(text: string, other: string): DifferingPart {
  const [words, others] = [wordsOf(text), wordsOf(other)]
  const most = Math.min(words.length, others.length)
  let start = 0
  while (start < most && words[start] === others[start]) start++
  let end = 0
  while (end < most - start && words.at(-1 - end) === others.at(-1 - end)) end++
  const last = words.length - end
  return {
    before: words.slice(0, start).join(''),
    own: words.slice(start, last).join(''),
    after: words.slice(last).join(''),
  }
}

const wordsOf = (text: string): readonly string[] => text.match(/\s+|[^\s]+/g) ?? []
