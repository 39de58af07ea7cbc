import { cached, hasPrototypeKey, messageOf } from '@interleave/core/internal'
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml'
import { type Path, type Placed, placed } from './problem.ts'

/** The content of a text, with positions. */
interface Reading {
  readonly value: unknown
  readonly problems: readonly TextProblem[]
  /** Returns the position of a value, or of its nearest ancestor in the text. */
  position(path: Path): Position | undefined
}
export interface Position {
  readonly line: number
  readonly column: number
}
interface TextProblem {
  readonly message: string
  readonly position?: Position
}

/** The maximum length of a text: far beyond any config, and read in less than a second whatever it contains. */
const maxLength = 250_000
const maxAliases = 100

/** Reads YAML 1.2, of which JSON is a part. Rejects tags, duplicate keys and alias bombs. */
export function readText(text: string): Reading {
  if (text.length > maxLength) return refused(`It is ${text.length} characters long, more than ${maxLength}.`)
  try {
    return read(text)
  } catch (error) {
    return refused(error instanceof RangeError ? tooDeep : `It cannot be read: ${messageOf(error)}.`)
  }
}

const refused = (message: string): Reading => ({ value: undefined, problems: [{ message }], position: () => undefined })

function read(text: string): Reading {
  const lines = new LineCounter()
  const positionOf = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line, column: col }
  }
  const tokens = [...new Parser(lines.addNewLine).parse(text)]
  if (tokens.some(isTooDeep)) return refused(tooDeep)
  const [document, second] = documentsOf(tokens)
  if (!document) return refused('It is empty.')
  if (second) return refused('It holds several documents. Put all agents into one `agents`, without "---".')
  const { version } = document.directives.yaml
  if (version !== '1.2') return refused(`It is YAML ${version}, and 1.2 is read here. Remove the %YAML line.`)
  const errors = [...document.errors, ...document.warnings, ...repeatedKeys(document)]
  const problems = errors.map(({ message, pos }) => ({ message: sentence(message), position: positionOf(pos[0]) }))
  if (problems.length > 0) return { value: undefined, problems, position: () => undefined }
  const offsetOf = finderIn(document)
  return {
    value: document.toJS({ maxAliasCount: maxAliases }),
    problems,
    position: (path) => positionOf(offsetOf(path)),
  }
}

/** Parses tokens. `no` is a string here, and so are dates: YAML 1.2 has neither `no` for false nor a type for time. */
function documentsOf(tokens: readonly CST.Token[]): Document.Parsed[] {
  const options = { version: '1.2', schema: 'core', merge: false, resolveKnownTags: false } as const
  const composer = new Composer({
    ...options,
    prettyErrors: false,
    stringKeys: true,
    // That check compares each key with every other one; ours uses a set.
    uniqueKeys: false,
  })
  return [...composer.compose(tokens)] as Document.Parsed[]
}

/** Returns true if a document is nested too deeply. Works level by level, so that the depth does not exhaust the stack. */
function isTooDeep(document: CST.Token): boolean {
  let level: readonly CST.Token[] = [document]
  for (let depth = 0; level.length > 0; depth++) {
    // The document itself is a level, and so is a string at the end.
    if (depth > maxDepth + 2) return true
    level = level.flatMap(innerTokens)
  }
  return false
}

function innerTokens(token: CST.Token): readonly CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : []
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key, value].filter((inner) => inner !== undefined && inner !== null))
}

type Fault = { readonly message: string; readonly pos: readonly [number, number] }

function repeatedKeys(document: Document.Parsed): Fault[] {
  const faults: Fault[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (seen.has(name)) faults.push({ message: `The key "${name}" occurs twice`, pos: spanOf(key) })
        seen.add(name)
      }
    },
  })
  return faults
}

const sentence = (message: string): string => (/[.!?]$/.test(message) ? message : `${message}.`)

const spanOf = (node: unknown): readonly [number, number] => {
  const [start = 0, end = start] = (isNode(node) && node.range) || []
  return [start, end]
}

/** Returns a function for the offset of a value. It reads each map and each alias once, however many values it finds. */
function finderIn(document: Document.Parsed): (path: Path) => number {
  const maps = new WeakMap<YAMLMap, ReadonlyMap<unknown, Pair>>()
  const targets = new WeakMap<Alias, Node | null>()
  const targetOf = (alias: Alias) => cached(targets, alias, () => alias.resolve(document) ?? null)
  const pairsOf = (map: YAMLMap) => cached(maps, map, () => new Map(map.items.map((pair) => [nameOf(pair.key), pair])))
  return (path) => {
    let node: unknown = document.contents
    let offset = spanOf(node)[0]
    for (const key of path) {
      if (isAlias(node)) node = targetOf(node)
      const next = isMap(node) ? pairsOf(node).get(String(key)) : itemOf(node, key)
      if (!next) return offset
      offset = spanOf(isPair(next) ? next.key : next)[0]
      node = isPair(next) ? next.value : next
    }
    return offset
  }
}

const nameOf = (key: unknown): unknown => (isScalar(key) ? String(key.value) : key)

/** Returns the node of an item in a list. */
const itemOf = (node: unknown, index: PropertyKey): unknown =>
  (node as { items?: unknown[] } | null)?.items?.[index as number]

const maxDepth = 64
const tooDeep: string = `This is nested deeper than ${maxDepth} levels.`
/** The maximum number of values, far beyond any config. A self-reference would have no end. */
const maxValues = 100_000
/** The maximum number of problems: more would not help. */
const maxProblems = 50

/** Returns the parts of the data that JSON cannot express, or that would be dangerous to pass on. */
export function notPlain(value: unknown): readonly Placed[] {
  const problems: Placed[] = []
  let seen = 0
  const visit = (inner: unknown, at: Path): void => {
    const message = seen++ === maxValues ? `This holds more than ${maxValues} values.` : faultOf(inner, at)
    if (message !== undefined) {
      problems.push(placed(at, message))
      return
    }
    for (const [key, member] of membersOf(inner)) {
      if (seen > maxValues || problems.length === maxProblems) return
      visit(member, [...at, key])
    }
  }
  visit(value, [])
  return problems
}

function membersOf(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return [...value.entries()]
  if (typeof value !== 'object' || value === null) return []
  // An undefined field is omitted, as in JSON.
  return Object.entries(value).filter(([, member]) => member !== undefined)
}

function faultOf(value: unknown, at: Path): string | undefined {
  if (at.length > maxDepth) return tooDeep
  if (at.at(-1) === '__proto__') return 'A key "__proto__" is refused: it would change a prototype.'
  if (typeof value === 'object' && value !== null && !Object.hasOwn(value, '__proto__') && hasPrototypeKey(value))
    return 'A "constructor" with a "prototype" is refused: it would change a prototype.'
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `JSON has no number ${value}.`
  if (value === null || typeof value === 'string' || typeof value === 'boolean' || Array.isArray(value))
    return undefined
  const prototype: unknown = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined
  if (typeof value === 'object' && (prototype === Object.prototype || prototype === null)) return undefined
  return `This is not plain data (${typeof value}). A config only names functions and models; the registry holds them.`
}
