import { readFileSync } from 'node:fs'

interface Entry {
  readonly '@interleave/source': string
  readonly default: string
}

/** The build of a package, run in its folder. Its entry points are those that its package.json exports. */
export const library = {
  entry: entriesOf(JSON.parse(readFileSync('package.json', 'utf8')).exports),
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
  return Object.fromEntries(
    built.map(({ '@interleave/source': source, default: file }) => [file.replace(/^\.\/dist\/|\.js$/g, ''), source]),
  )
}
