import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The root of the repository. */
export const root: string = path.join(import.meta.dirname, '../..')

/** A subpath that users import. */
export interface EntryPoint {
  /** Its name in an import, such as `@interleave/core/journal`. */
  readonly name: string
  /** Its source, from the root of the repository. */
  readonly source: string
  /** Its page in the reference, without the extension. */
  readonly page: string
}

/** Returns every entry point that users import, by package. Those of our own packages and style sheets are none. */
export function entryPoints(): readonly EntryPoint[] {
  return packages.flatMap((folder) => {
    const { name, exports = {} } = JSON.parse(readFileSync(path.join(root, 'packages', folder, 'package.json'), 'utf8'))
    return Object.entries<Record<string, unknown>>(exports).flatMap(([subpath, { '@interleave/source': source }]) => {
      if (own.has(subpath) || typeof source !== 'string') return []
      const page = path.posix.join(folder, subpath).replaceAll('/', '-')
      return [{ name: path.posix.join(name, subpath), source: path.posix.join('packages', folder, source), page }]
    })
  })
}

const own = new Set(['./internal', './shapes'])

/** In the order in which a reader needs them. A new package comes last. */
const first = ['core', 'react', 'connect', 'server', 'cloudflare', 'restate']
const packages = readdirSync(path.join(root, 'packages')).toSorted((a, b) => rank(a) - rank(b))

function rank(folder: string): number {
  const at = first.indexOf(folder)
  return at < 0 ? first.length : at
}
