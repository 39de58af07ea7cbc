import { parseSync } from 'oxc-parser'

/**
 * Replaces everything that is not prose, and keeps the lines. Code, inline code, addresses and titles of tests become blanks or bars; no word
 * matches across a bar.
 */
export function proseOfPage(text: string): string {
  return text
    .replaceAll(/^( *)(`{3,})[^\n`]*\n[\s\S]*?^ *\2 *$/gm, barred)
    .replaceAll(/\[[^\]]*\]\([^)]*\.test\.ts\)|`[^`]*`|\]\([^)]*\)|<!--[\s\S]*?-->|<[^>\n]*>|https?:\S+/g, blank)
}

/** Leaves only doc comments and messages. A message is a string of three words or more. */
export function proseOfSource(file: string, source: string): string {
  const { program, comments } = parseSync(file, source, { sourceType: 'module' })
  const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'))
  return only(source, [...docs, ...messagesOf(program)])
}

/** Leaves only the titles of tests. */
export function titlesOf(file: string, source: string): string {
  const { program } = parseSync(file, source, { sourceType: 'module' })
  return only(source, titlesIn(program))
}

/** Returns the names in a source, each as words: `isGone` is "is gone". */
export function namesOf(file: string, source: string): readonly string[] {
  const names = new Set<string>()
  addNames(parseSync(file, source, { sourceType: 'module' }).program, names)
  return [...names].map((name) => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, ' ').toLowerCase())
}

function addNames(node: unknown, names: Set<string>): void {
  if (typeof node !== 'object' || node === null) return
  const { type, name } = node as { type?: string; name?: unknown }
  if ((type === 'Identifier' || type === 'PrivateIdentifier') && typeof name === 'string') names.add(name)
  for (const child of Object.values(node)) addNames(child, names)
}

/** Replaces everything but the prose of these spans, and keeps the lines. */
function only(source: string, spans: readonly Span[]): string {
  let prose = ''
  let at = 0
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    if (start < at) continue
    prose += barred(source.slice(at, start)) + source.slice(start, end).replaceAll(notProse, blank)
    at = end
  }
  return prose + barred(source.slice(at))
}

/** The first arguments of `it`, `test` and what they return, as `it.each(cases)` does. */
function titlesIn(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(titlesIn)
  const { type, callee, arguments: given } = node as { type?: string; callee?: Callee; arguments?: readonly unknown[] }
  const isTable = callee?.type === 'MemberExpression' && /^(?:each|for|runIf|skipIf)$/.test(callee.property?.name ?? '')
  const own = type === 'CallExpression' && !isTable && isTest(callee) ? messagesOf(given?.[0]) : []
  return [...own, ...Object.values(node).flatMap(titlesIn)]
}

interface Callee {
  readonly type: string
  readonly name?: string
  readonly object?: Callee
  readonly property?: Callee
  readonly callee?: Callee
}

function isTest(called: Callee | undefined): boolean {
  if (called?.type === 'MemberExpression') return isTest(called.object)
  if (called?.type === 'CallExpression') return isTest(called.callee)
  return called?.type === 'Identifier' && (called.name === 'it' || called.name === 'test')
}

const notProse = /`[^`\n]*`|\{@link [^}]*\}|@example[\s\S]*|^\s*\*\/?|^\/\*\*|https?:\S+|\$\{[^}]*\}/gm

interface Span {
  readonly start: number
  readonly end: number
}

function messagesOf(node: unknown): Span[] {
  if (typeof node !== 'object' || node === null) return []
  if (Array.isArray(node)) return node.flatMap(messagesOf)
  const { type, start, end, value } = node as { type?: string; value?: unknown } & Span
  const text = type === 'TemplateElement' ? (value as { cooked?: string }).cooked : value
  if (typeof text === 'string') return /\w+,? \w+,? \w+/.test(text) ? [{ start, end }] : []
  return Object.values(node).flatMap(messagesOf)
}

const barred = (text: string): string => text.replaceAll(/[^\n]/g, '|')
const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ')
