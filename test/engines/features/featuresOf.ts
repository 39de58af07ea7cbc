import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { CompatData, Identifier } from '@mdn/browser-compat-data'
import { parseSync } from 'oxc-parser'

/** A feature that a file uses, by its name in the data of MDN, and the first version of each browser that has it. */
export interface Feature {
  readonly name: string
  readonly since: Readonly<Record<BrowserName, number>>
}

export type BrowserName = 'chrome' | 'edge' | 'firefox' | 'safari'
export const browserNames = ['chrome', 'edge', 'firefox', 'safari'] as const

type Place = Readonly<Record<string, Identifier | undefined>>
const { api, javascript }: CompatData = createRequire(import.meta.url)('@mdn/browser-compat-data')
const builtins = javascript.builtins as Place
const interfaces = api as Place

/** Objects of the page whose interface has another name. */
const globals: Readonly<Record<string, string>> = {
  navigator: 'Navigator',
  document: 'Document',
  crypto: 'Crypto',
  performance: 'Performance',
  history: 'History',
}

/** Objects whose methods have names that hardly anything else has. */
const common = ['Array', 'Date', 'Map', 'Number', 'Promise', 'RegExp', 'Set', 'String', 'TypedArray']

/** By the name of a method, all features with it: a file does not say of which object it is. */
const methods = new Map<string, Feature[]>()
for (const owner of common)
  for (const [member, feature] of Object.entries(builtins[owner] ?? {})) {
    const found = featureOf(`${owner}.${member}`, feature as Identifier)
    if (found) methods.set(member, [...(methods.get(member) ?? []), found])
  }

function featureOf(name: string, identifier: Identifier | undefined): Feature | undefined {
  const support = identifier?.__compat?.support
  if (!support) return undefined
  const since = Object.fromEntries(
    browserNames.map((browser) => {
      const [latest] = [support[browser]].flat()
      const version = latest?.flags ? undefined : latest?.version_added
      return [
        browser,
        typeof version === 'string' ? Number.parseFloat(version.replace(/^≤/, '')) : Number.POSITIVE_INFINITY,
      ]
    }),
  ) as Feature['since']
  return { name, since }
}

interface Node {
  readonly type: string
  readonly [member: string]: unknown
}

/** Returns what a built file uses of JavaScript and the browser, as far as names tell. */
export function featuresOf(file: string): readonly Feature[] {
  const found = new Map<string, Feature>()
  const note = (feature: Feature | undefined): void => {
    if (feature) found.set(feature.name, feature)
  }
  const { program } = parseSync(file, readFileSync(file, 'utf8'))
  visit(program as unknown as Node, (node) => {
    if (node.type === 'NewExpression') note(globalNamed(nameOf(node.callee)))
    if (node.type === 'CallExpression') note(methodOf(node.callee as Node))
    if (node.type === 'MemberExpression' && !node.computed) note(memberOf(nameOf(node.object), nameOf(node.property)))
    if (node.type === 'Literal' && 'regex' in node) note(expressionOf(String(Object(node.regex).pattern)))
  })
  return [...found.values()]
}

const nameOf = (node: unknown): string => String(Object(node).name ?? '')
const globalNamed = (name: string): Feature | undefined =>
  featureOf(name, Object.hasOwn(builtins, name) ? builtins[name] : interfaces[name])

/** A member of a global: `AbortSignal.any`, `navigator.locks`. */
function memberOf(object: string, member: string): Feature | undefined {
  const owner = globals[object] ?? object
  if (!owner || !member) return undefined
  const members = (Object.hasOwn(builtins, owner) ? builtins[owner] : interfaces[owner]) as Place | undefined
  return featureOf(`${owner}.${member}`, members?.[`${member}_static`] ?? members?.[member])
}

/** A method of an object that is not known: the oldest that has this name. */
function methodOf(callee: Node): Feature | undefined {
  if (callee.type !== 'MemberExpression' || callee.computed) return undefined
  const named = methods.get(nameOf(callee.property)) ?? []
  return [...named].sort((a, b) => a.since.safari - b.since.safari)[0]
}

/** The kinds of groups that expressions did not always have. */
function expressionOf(pattern: string): Feature | undefined {
  const kind = /\(\?<[=!]/.test(pattern)
    ? 'lookbehind_assertion'
    : /\(\?[ims-]+:/.test(pattern)
      ? 'modifier'
      : undefined
  return kind && featureOf(kind, (javascript.regular_expressions as Place)[kind])
}

function visit(node: Node, look: (node: Node) => void): void {
  look(node)
  for (const child of Object.values(node).flat())
    if (child !== null && typeof child === 'object' && 'type' in child) visit(child as Node, look)
}
