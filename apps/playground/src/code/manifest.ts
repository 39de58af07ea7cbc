import { withVersions } from '../../../../packages/create-interleave/src/release.ts'
import { templates } from '../../../../packages/create-interleave/src/templates.ts'
import { release } from './release.ts'

/** The files of the templates of `create-interleave`, by address. */
const texts = import.meta.glob<string>(
  '../../../../packages/create-interleave/templates/{common,page,remote,vite-react,node-hono}/**/*',
  { query: '?raw', import: 'default', eager: true },
)
const folder = '../../../../packages/create-interleave/templates/'

/** A file of a layer. */
export const templateFile = (layer: string, path: string): string => texts[`${folder}${layer}/${path}`] ?? ''

/** The files of a template by their path in a project, as `create-interleave` writes them. */
export function templateFiles(name: 'vite-react' | 'node-hono'): Map<string, string> {
  const files = new Map<string, string>()
  for (const layer of templates[name].layers)
    for (const [path, text] of Object.entries(texts)) {
      const start = `${folder}${layer}/`
      if (path.startsWith(start)) files.set(path.slice(start.length).replace(/^_gitignore$/, '.gitignore'), text)
    }
  return files
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: Readonly<Record<string, string>>
}

/** The libraries that tools of this page import. A test compares them with the versions that are tested here. */
export const libraries: Readonly<Record<string, string>> = {
  idb: '8.0.4',
  mathjs: '15.2.0',
  minisearch: '7.2.0',
  papaparse: '5.7.1',
}
export const libraryTypes: Readonly<Record<string, string>> = { '@types/papaparse': '5.5.2' }

/** The `package.json` of a project: that of its template, with what its files import and without what none does. */
export function manifestFor(
  template: string,
  { slug, files }: { slug: string; files: ReadonlyMap<string, string> },
): string {
  const { dependencies, devDependencies, ...rest }: Manifest & object = JSON.parse(template)
  const imported = importedBy([...files].flatMap(([path, text]) => (/\.tsx?$/.test(path) ? [text] : [])))
  const isUsed = (name: string): boolean =>
    imported.has(name) || name.startsWith('@types/') || name === 'typescript' || name === 'vite'
  const names = [...imported].filter((name) => name.startsWith('@interleave/') || Object.hasOwn(libraries, name))
  const added = Object.fromEntries(names.map((name) => [name, libraries[name] ?? '*']))
  const types = Object.entries(libraryTypes).filter(([name]) => imported.has(name.replace('@types/', '')))
  return `${JSON.stringify(
    {
      ...rest,
      name: slug,
      dependencies: withVersions(sorted({ ...kept(dependencies, isUsed), ...added }), release),
      devDependencies: sorted({
        ...kept(devDependencies, (name) => isUsed(name) && (imported.has('react') || !name.includes('react'))),
        ...Object.fromEntries(types),
      }),
    },
    null,
    2,
  )}\n`
}

/** The packages that files import. */
const importedBy = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/(?:from |import |import\()'((?:@[\w.-]+\/)?[\w-][\w.-]*)/g)].map(([, name = '']) => name),
    ),
  )

const kept = (versions: Manifest['dependencies'], isKept: (name: string) => boolean): Manifest['dependencies'] =>
  Object.fromEntries(Object.entries(versions).filter(([name]) => isKept(name)))

const sorted = (versions: Manifest['dependencies']): Manifest['dependencies'] =>
  Object.fromEntries(Object.entries(versions).toSorted(([a], [b]) => (a < b ? -1 : 1)))
