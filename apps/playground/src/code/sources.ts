/** The sources of the tools of this page and of what they import, by their path in `src/`. */
const sources: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(
    import.meta.glob<string>(['../{tools,bank,data,maths,tables,docs,fares}/*.ts', '!**/*.test.ts'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  ).map(([path, text]) => [path.replace('../', ''), text]),
)

/** The documentation of this project is too large for an example. */
const ownLibrary = `import { createLibrary, type Library } from './library.ts'

/** Put your own pages here. */
export const ownLibrary = (): Library =>
  createLibrary([
    { id: 'signals.md#signals', title: 'Signals', body: 'A signal tells you why a run has paused or finished.' },
    { id: 'tabs.md#tabs', title: 'Tabs', body: 'If the tab of a run closes, another tab takes over.' },
  ])
`

/** The source of a file, such as `tools/book.ts`; undefined if there is none. */
export const sourceOf = (path: string): string | undefined =>
  path === 'docs/ownLibrary.ts' ? ownLibrary : Object.hasOwn(sources, path) ? sources[path] : undefined

/** These files, and all that they import. */
export function withImports(paths: readonly string[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const queue = [...paths]
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const text = sourceOf(path)
    if (text === undefined || found.has(path)) continue
    found.set(path, text)
    queue.push(...importsOf(path, text))
  }
  return found
}

/** The files that a file imports, by their paths. */
export const importsOf = (path: string, text: string): readonly string[] =>
  [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, to = '']) =>
    new URL(to, `file:///${path}`).pathname.slice(1),
  )
