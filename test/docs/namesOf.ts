import { parseSync } from 'oxc-parser'

/** A name is a value, or a type alone. */
export type Kind = 'value' | 'type'

export interface Names {
  /** The syntax errors. */
  readonly problems: readonly string[]
  /** Names that the top level of the block declares or imports. */
  readonly top: ReadonlyMap<string, Kind>
  /** The names that the block exports itself. */
  readonly exported: ReadonlySet<string>
  /** Names that the block uses and declares nowhere. */
  readonly free: ReadonlyMap<string, Kind>
  /** The modules that it imports from. */
  readonly imports: readonly string[]
}

type Node = { readonly type: string } & Record<string, unknown>

/** The names of a block, by its syntax alone. */
export function namesOf(fileName: string, code: string): Names {
  const { program, errors } = parseSync(fileName, code, { sourceType: 'module' })
  const body = program.body as unknown as readonly Node[]
  const top = new Map<string, Kind>()
  const exported = new Set<string>()
  for (const statement of body) {
    const inner = isNode(statement.declaration) ? statement.declaration : statement
    const kind = /^TS(TypeAlias|Interface)/.test(inner.type) || statement.importKind === 'type' ? 'type' : 'value'
    const own = isNode(inner.id) ? namesIn(inner.id).map((name) => [name, kind] as const) : declaredBy(inner)
    for (const [name, ofOwn] of own) {
      top.set(name, kind === 'type' ? 'type' : ofOwn)
      if (statement.type.startsWith('Export')) exported.add(name)
    }
    for (const each of (statement.type.startsWith('Export') && (statement.specifiers as readonly Node[])) || []) {
      const [name = ''] = namesIn(each.exported)
      exported.add(name)
      if (!top.has(name)) top.set(name, kind)
    }
  }
  const declared = new Set<string>()
  const used = new Map<string, Kind>()
  walk(program as unknown as Node, (node, parent, key) => {
    for (const [name] of declaredBy(node)) declared.add(name)
    if (!isReference(node, parent, key)) return
    const name = String(node.name)
    if (!inType.has(parent.type)) used.set(name, 'value')
    else if (!used.has(name)) used.set(name, 'type')
  })
  return {
    problems: errors.map(({ message }) => message),
    top,
    exported,
    free: new Map([...used].filter(([name]) => !declared.has(name))),
    imports: body.flatMap(({ source }) => (isNode(source) ? [String(source.value)] : [])),
  }
}

const inType = new Set([
  'TSTypeReference',
  'TSTypeQuery',
  'TSQualifiedName',
  'TSInterfaceHeritage',
  'TSClassImplements',
])

/** Keys under which an identifier is a name of something else: of a property, a label, an export. */
const elsewhere: Readonly<Record<string, readonly string[]>> = {
  MemberExpression: ['property'],
  Property: ['key'],
  MethodDefinition: ['key'],
  PropertyDefinition: ['key'],
  TSPropertySignature: ['key'],
  TSMethodSignature: ['key'],
  TSQualifiedName: ['right'],
  TSNamedTupleMember: ['label'],
  TSIndexSignature: ['parameters'],
  MetaProperty: ['meta', 'property'],
  ImportSpecifier: ['imported', 'local'],
  ExportSpecifier: ['exported'],
  LabeledStatement: ['label'],
  BreakStatement: ['label'],
  ContinueStatement: ['label'],
}

function isReference(node: Node, parent: Node, key: string): boolean {
  if (node.type === 'JSXIdentifier') {
    const named = parent.type === 'JSXMemberExpression' ? key === 'object' : parent.type === 'JSXOpeningElement'
    return named && /^[A-Z]/.test(String(node.name))
  }
  if (node.type !== 'Identifier') return false
  return parent.computed === true || !elsewhere[parent.type]?.includes(key)
}

function declaredBy(node: Node): readonly (readonly [string, Kind])[] {
  if (node.type === 'ImportDeclaration') {
    const specifiers = node.specifiers as readonly Node[]
    return specifiers.flatMap((each) =>
      namesIn(each.local).map((name) => [name, each.importKind === 'type' ? 'type' : 'value'] as const),
    )
  }
  if (node.type === 'VariableDeclaration') return valuesIn((node.declarations as readonly Node[]).map(({ id }) => id))
  if (/^TS(TypeAlias|Interface)Declaration$/.test(node.type)) return namesIn(node.id).map((name) => [name, 'type'])
  if (node.type === 'TSTypeParameter') return namesIn(node.name).map((name) => [name, 'type'])
  if (node.type === 'CatchClause') return valuesIn([node.param])
  if (/Function|^Class(Declaration|Expression)$/.test(node.type)) {
    return valuesIn([node.id, ...(Array.isArray(node.params) ? node.params : [])])
  }
  return []
}

const valuesIn = (patterns: readonly unknown[]): (readonly [string, Kind])[] =>
  patterns.flatMap(namesIn).map((name) => [name, 'value'])

/** The names that a pattern binds. */
function namesIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return []
  switch (pattern.type) {
    case 'Identifier':
      return [String(pattern.name)]
    case 'ObjectPattern':
      return (pattern.properties as readonly Node[]).flatMap((each) => namesIn(each.value ?? each.argument))
    case 'ArrayPattern':
      return (pattern.elements as readonly unknown[]).flatMap(namesIn)
    default:
      return namesIn(pattern.left ?? pattern.argument ?? pattern.parameter)
  }
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

function walk(node: Node, visit: (node: Node, parent: Node, key: string) => void): void {
  visit(node, node, '')
  const open: Node[] = [node]
  for (let parent = open.pop(); parent; parent = open.pop()) {
    for (const [key, value] of Object.entries(parent)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (!isNode(child)) continue
        visit(child, parent, key)
        open.push(child)
      }
    }
  }
}
