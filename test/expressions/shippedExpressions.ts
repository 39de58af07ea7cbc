import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import {
  type CallExpression,
  type Expression,
  type NewExpression,
  type PrivateIdentifier,
  parseSync,
  type TemplateElement,
  type TemplateLiteral,
  Visitor,
} from 'oxc-parser'

export interface ShippedExpression {
  readonly source: string
  readonly flags: string
  /** Each file and line with the expression. */
  readonly at: readonly string[]
}

export interface Collected {
  /** Literals, and what `new RegExp` is given where it is constant. */
  readonly expressions: readonly ShippedExpression[]
  /** Each file and line of a `new RegExp` whose pattern is known only at run time. */
  readonly dynamic: readonly string[]
}

const root = path.join(import.meta.dirname, '..', '..')

/** Every regular expression of the sources that are shipped: those of the packages and of the apps, without their tests. */
export function shippedExpressions(): Collected {
  const found = new Map<string, { source: string; flags: string; at: string[] }>()
  const dynamic: string[] = []
  for (const file of globSync('{packages,apps}/*/src/**/*.{ts,tsx}', { cwd: root }).sort()) {
    if (/\.test(?:-d)?\.tsx?$/.test(file)) continue
    const text = readFileSync(path.join(root, file), 'utf8')
    for (const { source, flags, offset } of expressionsIn(file, text)) {
      const at = `${file}:${text.slice(0, offset).split('\n').length}`
      if (source === undefined || flags === undefined) {
        dynamic.push(at)
        continue
      }
      const known = found.get(`/${source}/${flags}`) ?? { source, flags, at: [] }
      known.at.push(at)
      found.set(`/${source}/${flags}`, known)
    }
  }
  return { expressions: [...found.values()], dynamic }
}

interface FoundExpression {
  readonly source: string | undefined
  readonly flags: string | undefined
  readonly offset: number
}

export function expressionsIn(file: string, text: string): readonly FoundExpression[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const found: FoundExpression[] = []
  const constants = new Map<string, Expression>()
  const build = ({ callee, arguments: given, start }: NewExpression | CallExpression): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const [pattern, flags] = given.map((one) => (one.type === 'SpreadElement' ? undefined : textOf(one, constants)))
    found.push({ source: pattern, flags: given.length < 2 ? '' : flags, offset: start })
  }
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init)
    },
  }).visit(program)
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex)
        found.push({ source: node.regex.pattern, flags: node.regex.flags, offset: node.start })
    },
    NewExpression: build,
    CallExpression: build,
  }).visit(program)
  return found
}

type Constants = ReadonlyMap<string, Expression>

/** The text that an expression always has: literals, templates, names of constants and joined lists of them. */
function textOf(node: Expression | PrivateIdentifier, constants: Constants): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined
    case 'Identifier': {
      const init = constants.get(node.name)
      return init && textOf(init, constants)
    }
    case 'TemplateLiteral':
      return filled(node, (quasi) => quasi.value.cooked ?? '', constants)
    case 'TaggedTemplateExpression':
      return isStringRaw(node.tag) ? filled(node.quasi, (quasi) => quasi.value.raw, constants) : undefined
    case 'BinaryExpression':
      return node.operator === '+' ? joined([node.left, node.right], '', constants) : undefined
    case 'CallExpression':
      return valueOfJoin(node, constants)
    default:
      return undefined
  }
}

const isStringRaw = (node: Expression): boolean =>
  node.type === 'MemberExpression' &&
  node.object.type === 'Identifier' &&
  node.object.name === 'String' &&
  node.property.type === 'Identifier' &&
  node.property.name === 'raw'

function filled(
  { quasis, expressions }: TemplateLiteral,
  partOf: (quasi: TemplateElement) => string,
  constants: Constants,
): string | undefined {
  const values = expressions.map((one) => textOf(one, constants))
  if (values.includes(undefined)) return undefined
  return quasis.map((quasi, at) => partOf(quasi) + (values[at] ?? '')).join('')
}

function joined(
  nodes: readonly (Expression | PrivateIdentifier)[],
  separator: string,
  constants: Constants,
): string | undefined {
  const values = nodes.map((one) => textOf(one, constants))
  return values.includes(undefined) ? undefined : values.join(separator)
}

/** `['a', 'b'].join('|')`, also where the list has a name. */
function valueOfJoin({ callee, arguments: given }: CallExpression, constants: Constants): string | undefined {
  if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier' || callee.property.name !== 'join')
    return undefined
  const [separator] = given
  if (separator?.type !== 'Literal' || typeof separator.value !== 'string') return undefined
  const named = callee.object.type === 'Identifier' ? constants.get(callee.object.name) : callee.object
  if (named?.type !== 'ArrayExpression') return undefined
  const items = named.elements.filter((one) => one !== null && one.type !== 'SpreadElement')
  return items.length === named.elements.length ? joined(items, separator.value, constants) : undefined
}
