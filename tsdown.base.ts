import { readFileSync } from 'node:fs'

interface Entry {
  readonly '@interleave/source': string
  readonly default: string
}

/** A module with a version for development. Bundlers and Node decide between them where the package is used. */
interface Choice {
  readonly '@interleave/source': { readonly production: string; readonly default: string }
  readonly development: string
  readonly default: string
}

const { exports, imports = {} }: { exports: Parameters<typeof entriesOf>[0]; imports?: Record<string, Choice> } =
  JSON.parse(readFileSync('package.json', 'utf8'))

/** The build of a package, run in its folder. Its entry points are those that its package.json exports. */
export const library = {
  entry: { ...entriesOf(exports), ...choicesOf(imports) },
  deps: { neverBundle: Object.keys(imports) },
  platform: 'neutral' as const,
  format: 'esm' as const,
  target: 'es2023',
  dts: true,
  sourcemap: true,
}

/** For packages with components. Each module is a file, so that 'use client' is where it is needed. */
export const components = {
  ...library,
  entry: Object.values(library.entry),
  unbundle: true,
  platform: 'browser' as const,
  // The app's bundler decides whether the build is for production.
  define: { 'process.env.NODE_ENV': 'process.env.NODE_ENV' },
  copy: ['src/styles.css', 'src/styles.d.ts'],
  // 'use client' stays: it is the first line of an entry point that has it.
  suppressWarnings: ['module level directive'],
}

/** From the name of each file in `dist` to its source. */
function entriesOf(exports: Readonly<Record<string, string | Record<string, unknown>>>): Record<string, string> {
  const built = Object.values(exports).filter(
    (entry): entry is Record<string, unknown> & Entry =>
      typeof entry === 'object' && typeof entry['@interleave/source'] === 'string',
  )
  return Object.fromEntries(built.map(({ '@interleave/source': source, default: file }) => [nameOf(file), source]))
}

/** From the names of both versions of each choice to their sources. */
function choicesOf(imports: Readonly<Record<string, Choice>>): Record<string, string> {
  return Object.fromEntries(
    Object.values(imports).flatMap(({ '@interleave/source': source, development, default: production }) => [
      [nameOf(development), source.default],
      [nameOf(production), source.production],
    ]),
  )
}

function nameOf(file: string): string {
  return file.replace(/^\.\/dist\/|\.js$/g, '')
}
