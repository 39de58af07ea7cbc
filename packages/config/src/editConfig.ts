import type { Json } from '@interleave/core'
import { canonicalJson, toJson } from '@interleave/core/internal'
import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import { type Config, checkPlain, yamlStyle } from './config.ts'
import { parseConfig } from './readConfig.ts'

/**
 * Writes a changed config into the text that it was read from. Unchanged parts keep their comments, order and style.
 * JSON stays JSON.
 */
export function editConfig(text: string, config: Config): string {
  // Throws for an invalid text.
  parseConfig(text)
  checkPlain(config)
  // Editors of Windows write a mark before the text, and another end of line. The parser reads neither as content.
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : ''
  const edited = mark + editText(text.slice(mark.length), toJson(config))
  return text.includes('\r\n') ? edited.replaceAll(/\r?\n/g, '\r\n') : edited
}

function editText(text: string, config: Json): string {
  if (isJson(text)) return `${JSON.stringify(config, null, indentOf(text))}${/\n?$/.exec(text)}`
  const edited = edit(text, { config, aliases: true })
  return readsAs(edited, config) ? edited : edit(text, { config, aliases: false })
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Returns the white space before the first field. */
const indentOf = (text: string): string => /^\{\r?\n([ \t]+)/.exec(text)?.[1] ?? ''

interface Edit {
  readonly config: Json
  /** True if aliases may stay. They cannot if their target changed. */
  readonly aliases: boolean
}

function edit(text: string, { config, aliases }: Edit): string {
  const document = parseDocument(text, { version: '1.2', schema: 'core' })
  if (!aliases) visit(document, { Alias: (_, alias) => alias.resolve(document)?.clone() as Node | undefined })
  document.contents = merged(document, document.contents, config) as typeof document.contents
  return document.toString(yamlStyle)
}

function readsAs(text: string, config: Json): boolean {
  try {
    return contentOf(parseConfig(text)) === contentOf(config)
  } catch {
    return false
  }
}

/** Returns the node itself, changed to this value if possible, or else a new one. */
function merged(document: Document, node: unknown, value: unknown): unknown {
  if (contentOf(plain(document, node)) === contentOf(value)) return node
  if (isMap(node) && typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return mergeMap(document, node, value as Record<string, unknown>)
  }
  if (isSeq(node) && Array.isArray(value)) return mergeList(document, node, value)
  if (isScalar(node) && (typeof value !== 'object' || value === null)) {
    // The form of the old value, such as hexadecimal or quoted, does not apply to the new one.
    const { comment, commentBefore, spaceBefore } = node
    return Object.assign(document.createNode(value), { comment, commentBefore, spaceBefore })
  }
  return document.createNode(value, { aliasDuplicateObjects: false })
}

function mergeMap(document: Document, map: YAMLMap, value: Readonly<Record<string, unknown>>): YAMLMap {
  const named = (key: unknown): string => String(isScalar(key) ? key.value : key)
  map.items = map.items.filter(({ key }) => Object.hasOwn(value, named(key)))
  for (const pair of map.items) pair.value = merged(document, pair.value, value[named(pair.key)])
  const known = new Set(map.items.map(({ key }) => named(key)))
  for (const key of Object.keys(value)) if (!known.has(key)) map.items.push(document.createPair(key, value[key]))
  return map
}

/** Merges a list. Existing items keep their nodes, wherever they are now. */
function mergeList(document: Document, list: YAMLSeq, value: readonly unknown[]): YAMLSeq {
  const left = new Map<string, unknown[]>()
  for (const node of list.items) {
    const content = contentOf(plain(document, node))
    const alike = left.get(content) ?? []
    left.set(content, alike)
    alike.push(node)
  }
  const found = value.map((item) => left.get(contentOf(item))?.shift())
  const kept = new Set(found)
  const others = list.items.filter((node) => !kept.has(node)).values()
  list.items = value.map((item, index) => found[index] ?? merged(document, others.next().value, item))
  return list
}

const contentOf = (value: unknown): string => canonicalJson(value as Json)

const plain = (document: Document, node: unknown): unknown =>
  isAlias(node) || isMap(node) || isSeq(node) || isScalar(node) ? node.toJS(document) : node
