/** A secret that was found. Never the secret itself. */
export interface FoundSecret {
  /** The kind of secret, such as `API key` or `field "password"`. */
  readonly kind: string
  /** Its replacement. The same secret has the same mark everywhere. */
  readonly mark: string
  /** Its beginning, so that a user can recognize it. */
  readonly hint: string
  /** The number of its occurrences. */
  readonly count: number
}

/** Returns true if a text is already a mark. */
export const isMark = (text: string): boolean => /^\[redacted: [^\]]*\]$/.test(text)

/** The replacements of secrets. Each secret has its own, so that equal secrets stay recognizable. */
export class Marks {
  readonly #marks = new Map<string, { kind: string; mark: string; count: number }>()
  /** Created from the known secrets when it is needed. */
  #replacer: Replacer | undefined = undefined

  /** The number of secrets. */
  get size(): number {
    return this.#marks.size
  }

  /** Returns the replacement of a secret. */
  of(secret: string, kind: string): string {
    let known = this.#marks.get(secret)
    if (!known) {
      known = { kind, mark: `[redacted: ${kind.replaceAll(/[[\]]/g, '')} ${this.size + 1}]`, count: 0 }
      this.#marks.set(secret, known)
      this.#replacer = undefined
    }
    known.count++
    return known.mark
  }

  /** Replaces all known secrets in a text. */
  clear(text: string): string {
    this.#replacer ??= createReplacer([...this.#marks.keys()].filter(isDistinctive))
    return this.#replacer(text, (secret) => this.of(secret, ''))
  }

  /** Resets the counts to those of an earlier result. */
  recount(from: readonly FoundSecret[]): void {
    const counts = new Map(from.map(({ mark, count }) => [mark, count]))
    for (const known of this.#marks.values()) known.count = counts.get(known.mark) ?? 0
  }

  found(): readonly FoundSecret[] {
    const hintOf = (secret: string): string => `${secret.slice(0, Math.min(4, secret.length / 3))}…`
    return [...this.#marks].map(([secret, known]) => ({ ...known, hint: hintOf(secret) }))
  }
}

/** Returns true if a secret is long enough to be replaced in other text, where a short word may be just a word. */
const isDistinctive = (secret: string): boolean => secret.length >= 8 || (secret.length >= 6 && /\d/.test(secret))

type Replacer = (text: string, replacementOf: (found: string) => string) => string

/** Returns a function that replaces all of the words, the leftmost and longest first, in one pass (Aho-Corasick). */
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

/** Returns the longest word that ends at each character, by its start. */
function occurrences(text: string, { step, longest }: Automaton): readonly { start: number; end: number }[] {
  const found: { start: number; end: number }[] = []
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
  /** The length of the longest word that ends at each node, or 0. */
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

/** The position of a value in the examined data. */
export interface Place {
  /** True for data of tools, users and providers, whose member names are arbitrary. */
  readonly isData: boolean
  /** True for a member of the log format itself. */
  readonly isOurs: boolean
  /** The name of the member that makes all of it secret. */
  readonly field: string | undefined
}

export const atTop: Place = { isData: false, isOurs: false, field: undefined }
export const inData: Place = { isData: true, isOurs: false, field: undefined }

/** Returns the position of a member. */
export function below({ isData, field }: Place, { key, isSecret }: { key: string; isSecret: boolean }): Place {
  const goesIn = isData || holdsData.has(key)
  return { isData: goesIn, isOurs: !goesIn && ours.has(key), field: field ?? (isSecret ? `field "${key}"` : undefined) }
}

/** Members of events that hold data of others. */
const holdsData: ReadonlySet<string> = new Set([
  'input',
  'proposed',
  'output',
  'value',
  'args',
  'data',
  'headers',
  'providerMetadata',
  'providerOptions',
])
/** Members of events that the reader of a log depends on. */
const ours: ReadonlySet<string> = new Set([
  'type',
  'kind',
  'role',
  'by',
  'runId',
  'agent',
  'version',
  'call',
  'of',
  'ask',
  'key',
  'tool',
  'toolName',
  'modelId',
  'provider',
  'limit',
  'code',
  'format',
  'mediaType',
  'unified',
])

/** Everything besides the object that determines its result. */
interface Known {
  readonly place: Place
  /** The number of member names that are known to hold secrets. */
  readonly names: number
  /** The number of known secrets; undefined while secrets are only collected. */
  readonly secrets: number | undefined
}

/** The results for objects. Unchanged objects of a run are the same from one event to the next. */
export class ObjectResults {
  readonly #results = new WeakMap<object, Known & { readonly document: number; readonly value: unknown }>()
  #document = 0

  /** Starts another document. Within one, results are not reused, because its secrets are counted. */
  begin(): void {
    this.#document++
  }

  /** Returns the result for an object in an earlier document, at the same path and with the same known secrets. */
  of(object: object, { place, names, secrets }: Known): { readonly value: unknown } | undefined {
    const before = this.#results.get(object)
    if (!before || before.document === this.#document || before.names !== names) return undefined
    if (!isSame(before.place, place)) return undefined
    // A search ignores the secrets that are already known.
    return secrets === undefined || before.secrets === secrets ? before : undefined
  }

  add(object: object, known: Known, value: unknown): void {
    this.#results.set(object, { ...known, document: this.#document, value })
  }
}

const isSame = (one: Place, other: Place): boolean =>
  one.isData === other.isData && one.isOurs === other.isOurs && one.field === other.field
