/** A secret that was found. Never the secret itself. */
export interface FoundSecret {
  /** The kind of secret, such as `API key` or `field "password"`. */
  readonly kind: string
  /** Its replacement. The same secret has the same mark everywhere. */
  readonly mark: string
  /** Its beginning, so that a user can recognize it. */
  readonly hint: string
  /** In how many places it was. */
  readonly count: number
}

interface Marks {
  /** Returns the replacement of a secret. */
  of(secret: string, kind: string): string
  /** Replaces all known secrets in a text. */
  clear(text: string): string
  /** Forgets how often they were seen since. */
  recount(from: readonly FoundSecret[]): void
  found(): readonly FoundSecret[]
  /** The number of secrets. */
  readonly size: number
}

/** Returns true if a text is already a mark. */
export const isMark = (text: string): boolean => /^\[redacted: [^\]]*\]$/.test(text)

/** Gives each secret a mark of its own, so that what referred to the same still does. */
export function createMarks(): Marks {
  const marks = new Map<string, { kind: string; mark: string; count: number }>()
  let known: ReturnType<typeof createReplacer> | undefined

  const of = (secret: string, kind: string): string => {
    const at = marks.get(secret) ?? {
      kind,
      mark: `[redacted: ${kind.replaceAll(/[[\]]/g, '')} ${marks.size + 1}]`,
      count: 0,
    }
    if (!marks.has(secret)) known = undefined
    marks.set(secret, at)
    at.count++
    return at.mark
  }
  return {
    of,
    get size() {
      return marks.size
    },
    clear(text) {
      known ??= createReplacer([...marks.keys()].filter(isTelling))
      return known(text, (secret) => of(secret, ''))
    },
    recount(from) {
      const counts = new Map(from.map(({ mark, count }) => [mark, count]))
      for (const at of marks.values()) at.count = counts.get(at.mark) ?? 0
    },
    found: () =>
      [...marks].map(([secret, at]) => ({ ...at, hint: `${secret.slice(0, Math.min(4, secret.length / 3))}…` })),
  }
}

/**
 * Returns true if a secret is long enough to be replaced in other text. A short word may occur without being the
 * secret.
 */
const isTelling = (secret: string): boolean => secret.length >= 8 || (secret.length >= 6 && /\d/.test(secret))

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
