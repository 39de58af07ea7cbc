/** A line of a tree of JSON. */
export interface TreeRow {
  /** The path as a JSON pointer, such as `/history/0/2`. Empty for the root. */
  readonly path: string
  readonly name: string
  readonly value: unknown
  readonly level: number
  /** True if it is expanded; undefined if it contains nothing. */
  readonly isOpen: boolean | undefined
  /** Its position among its siblings, from 1, and their number. */
  readonly position: number
  readonly siblings: number
  /** True if it matches the search. */
  readonly isFound: boolean
}

export interface TreeView {
  /** Paths whose expansion differs from the default. */
  readonly toggled: ReadonlySet<string>
  /** Shows only rows with this text in their name or value, and the path to them. */
  readonly query: string
}

/** Returns the visible rows of a value. By default, only the root is expanded. */
export function treeRowsOf(value: unknown, { toggled, query }: TreeView): readonly TreeRow[] {
  const whole: Node = { path: '', name: 'state', value, level: 1, position: 1, siblings: 1 }
  const needle = query.trim().toLowerCase()
  return needle ? foundRows(whole, { toggled, needle }) : openRows(whole, toggled)
}

type Node = Omit<TreeRow, 'isOpen' | 'isFound'>

function openRows(node: Node, toggled: ReadonlySet<string>): readonly TreeRow[] {
  const children = childrenOf(node)
  const isOpen = children.length === 0 ? undefined : isOpenAt(node.path, toggled)
  const row = { ...node, isOpen, isFound: false }
  return isOpen ? [row, ...children.flatMap((child) => openRows(child, toggled))] : [row]
}

/** Returns true if a node is expanded: the root by default, others once toggled. */
const isOpenAt = (path: string, toggled: ReadonlySet<string>): boolean => toggled.has(path) !== (path === '')

/** Returns the matching rows and the path to each. Their own children appear when the user expands them. */
function foundRows(
  node: Node,
  search: { readonly toggled: ReadonlySet<string>; readonly needle: string },
): readonly TreeRow[] {
  const { toggled, needle } = search
  const isFound = hasWord(node, needle)
  if (holds(node.value, needle))
    return [{ ...node, isOpen: true, isFound }, ...childrenOf(node).flatMap((child) => foundRows(child, search))]
  if (node.path === '') return [{ ...node, isOpen: childrenOf(node).length === 0 ? undefined : false, isFound }]
  return isFound ? openRows(node, toggled).map((row) => ({ ...row, isFound: row.path === node.path })) : []
}

const hasWord = ({ name, value }: Pick<Node, 'name' | 'value'>, needle: string): boolean =>
  name.toLowerCase().includes(needle) || (typeof value !== 'object' && String(value).toLowerCase().includes(needle))

/** The last search in each object of a state. Objects keep their identity as long as nothing in them changes. */
const searched = new WeakMap<object, { readonly needle: string; readonly isInside: boolean }>()

/** Returns true if a descendant matches. While a run streams, only changed objects are searched again. */
function holds(value: unknown, needle: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  const known = searched.get(value)
  if (known?.needle === needle) return known.isInside
  const isInside = Object.entries(value).some(
    ([name, child]) => child !== undefined && (hasWord({ name, value: child }, needle) || holds(child, needle)),
  )
  searched.set(value, { needle, isInside })
  return isInside
}

function childrenOf({ path, value, level }: Node): readonly Node[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  return entries.map(([name, child], index) => ({
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    name,
    value: child,
    level: level + 1,
    position: index + 1,
    siblings: entries.length,
  }))
}

/** Returns the paths of the rows, without the root, whose value differs from the state before. */
export function changedPaths(rows: readonly TreeRow[], before: unknown): ReadonlySet<string> {
  const changed = rows.filter(({ path, value }) => path !== '' && !isSame(valueAt(before, path), value))
  return new Set(changed.map(({ path }) => path))
}

/** Returns the value at a JSON pointer; undefined if there is none. */
function valueAt(whole: unknown, path: string): unknown {
  let value = whole
  for (const name of path.split('/').slice(1).map(unescaped)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = Reflect.get(value, name)
  }
  return value
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

/** Compares by identity: two states share the objects that did not change. */
const isSame = (a: unknown, b: unknown): boolean =>
  a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b))
