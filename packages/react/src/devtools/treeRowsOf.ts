/** A line of a tree of JSON. */
export interface TreeRow {
  /** The way to it as a JSON pointer, such as `/history/0/2`. Empty for the whole. */
  readonly path: string
  readonly name: string
  readonly value: unknown
  readonly level: number
  /** Undefined for what holds nothing. */
  readonly isOpen: boolean | undefined
  /** Where it stands among its neighbours, from 1, and how many there are. */
  readonly place: number
  readonly places: number
  /** The search finds it. */
  readonly isFound: boolean
}

export interface TreeView {
  /** Paths that are open although they are not at first, or closed although they are. */
  readonly toggled: ReadonlySet<string>
  /** Shows only what has this in a name or a value, and the way there. */
  readonly query: string
}

/** The lines that are shown of a value. At first the whole is open, and nothing in it. */
export function treeRowsOf(value: unknown, { toggled, query }: TreeView): readonly TreeRow[] {
  const whole: Node = { path: '', name: 'state', value, level: 1, place: 1, places: 1 }
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

/** The whole is open unless somebody closed it, everything else the other way round. */
const isOpenAt = (path: string, toggled: ReadonlySet<string>): boolean => toggled.has(path) !== (path === '')

/** What is found, and the way there. What it holds itself is shown when somebody opens it. */
function foundRows(
  node: Node,
  search: { readonly toggled: ReadonlySet<string>; readonly needle: string },
): readonly TreeRow[] {
  const { toggled, needle } = search
  const children = childrenOf(node)
  const found = children.flatMap((child) => foundRows(child, search))
  const isFound = hasWord(node, needle)
  if (found.length > 0) return [{ ...node, isOpen: true, isFound }, ...found]
  if (node.path === '') return [{ ...node, isOpen: children.length === 0 ? undefined : false, isFound }]
  if (!isFound) return []
  return openRows(node, toggled).map((row) => ({ ...row, isFound: row.path === node.path }))
}

const hasWord = ({ name, value }: Node, needle: string): boolean =>
  name.toLowerCase().includes(needle) || (typeof value !== 'object' && String(value).toLowerCase().includes(needle))

function childrenOf({ path, value, level }: Node): readonly Node[] {
  if (typeof value !== 'object' || value === null) return []
  const entries = Object.entries(value).filter(([, child]) => child !== undefined)
  return entries.map(([name, child], index) => ({
    path: `${path}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
    name,
    value: child,
    level: level + 1,
    place: index + 1,
    places: entries.length,
  }))
}
