type Replacer = (text: string, replacementOf: (found: string) => string) => string

/**
 * Replaces every occurrence of the given words, the leftmost and longest first, and what is left of a word that overlaps it. An
 * Aho-Corasick automaton reads the text once, so the time depends on neither the number of words nor how much they resemble the text.
 */
export function createReplacer(words: readonly string[]): Replacer {
  const known = words.filter((word) => word !== '')
  if (known.length === 0) return (text) => text
  const automaton = createAutomaton(known)
  return (text, replacementOf) => {
    let out = ''
    let copied = 0
    for (const { start, end } of occurrences(text, automaton)) {
      if (end <= copied) continue
      out += text.slice(copied, Math.max(start, copied)) + replacementOf(text.slice(start, end))
      copied = end
    }
    return out + text.slice(copied)
  }
}

interface Occurrence {
  readonly start: number
  readonly end: number
}

/** The longest word that ends at each character, by where it begins. */
function occurrences(text: string, { step, longest }: Automaton): readonly Occurrence[] {
  const found: Occurrence[] = []
  let node = 0
  for (let at = 0; at < text.length; at++) {
    node = step(node, text.charCodeAt(at))
    const length = longest[node] ?? 0
    if (length > 0) found.push({ start: at + 1 - length, end: at + 1 })
  }
  return found.sort((one, other) => one.start - other.start || other.end - one.end)
}

interface Automaton {
  step(node: number, code: number): number
  /** The length of the longest word that ends at each node; 0 if none does. */
  readonly longest: readonly number[]
}

function createAutomaton(words: readonly string[]): Automaton {
  const children = new Map<number, number>()
  const codes = [0]
  const parents = [0]
  const depth = [0]
  const longest = [0]
  for (const word of words) {
    let node = 0
    for (let at = 0; at < word.length; at++) {
      const key = keyOf(node, word.charCodeAt(at))
      const next = children.get(key) ?? depth.length
      if (next === depth.length) {
        children.set(key, next)
        codes.push(word.charCodeAt(at))
        parents.push(node)
        depth.push(at + 1)
        longest.push(0)
      }
      node = next
    }
    longest[node] = word.length
  }
  const fallback = depth.map(() => 0)
  const step = (from: number, code: number): number => {
    for (let node = from; ; node = fallback[node] ?? 0) {
      const next = children.get(keyOf(node, code))
      if (next !== undefined) return next
      if (node === 0) return 0
    }
  }
  for (const node of byDepth(depth)) {
    const [parent = 0, code = 0] = [parents[node], codes[node]]
    if (parent !== 0) fallback[node] = step(fallback[parent] ?? 0, code)
    longest[node] ||= longest[fallback[node] ?? 0] ?? 0
  }
  return { step, longest }
}

const keyOf = (node: number, code: number): number => node * 65_536 + code

const byDepth = (depth: readonly number[]): readonly number[] =>
  depth
    .map((_, node) => node)
    .slice(1)
    .sort((one, other) => (depth[one] ?? 0) - (depth[other] ?? 0))
