/** One of the things that a message asks for. */
export interface Clause {
  readonly text: string
  /** Comes after the one before, and may need its result: "… and then …", "multiply it by 2". */
  readonly chained: boolean
}

const most = 8

/** Takes a message apart at its sentences and at words such as "and then" and "also". Quoted text stays whole. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = []
  let from = 0
  let chained = false
  const push = (to: number): void => {
    const said = text.slice(from, to).replace(/^[\s,.;:]+|(?<![\s,;:])[\s,;:]+$/g, '')
    if (/[\p{L}\p{N}]/u.test(said)) clauses.push({ text: said, chained: chained || refersBack(said) })
  }
  for (const match of unquoted(text, separator)) {
    push(match.index)
    from = match.index + match[0].length
    chained = /then|after|next|finally/i.test(match[0])
  }
  push(text.length)
  return clauses.slice(0, most)
}

/** The places inside a clause at which it may be two: "… and …". */
export const jointsOf = (text: string): { left: string; right: string }[] =>
  [...unquoted(text, /(?:,|(?<![\s,]))\s+and\s+(?!\d)|,\s+(?!\d)/gi)].slice(0, most).map((match) => ({
    left: text.slice(0, match.index),
    right: text.slice(match.index + match[0].length),
  }))

export const refersBack = (text: string): boolean =>
  /\b(?:it|its|that|them|those|these|this|the (?:result|results|answer|total|sum|first|cheapest|best|fastest|last|same) ?(?:one)?)\b/i.test(
    text.replace(/\b(?:is|does|will|would|can|could) (?:it|that|this)\b|\bthat (?:is|are|has|have|can)\b/gi, ''),
  )

const separator =
  /(?<=[.!?])\s+|;\s*|\n+|(?:(?<![\s,])[\s,]+)?\b(?:and then|and afterwards|and after that|after that|afterwards|and finally|then|and also|as well as|also)\b,?\s*/gi

function* unquoted(text: string, pattern: RegExp): Generator<RegExpExecArray> {
  const quoted = [...text.matchAll(/"[^"]*"|“[^“”]*”|«[^«»]*»/g)].map(({ index, 0: { length } }) => [
    index,
    index + length,
  ])
  for (const match of text.matchAll(pattern)) {
    if (!quoted.some(([start = 0, end = 0]) => match.index > start && match.index < end)) yield match
  }
}
