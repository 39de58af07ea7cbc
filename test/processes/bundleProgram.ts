import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/**
 * Makes one file of a program, so that a process of it starts fast.
 *
 * @param entry The module that it starts with.
 * @param external Packages that it imports only where they are there.
 */
export async function bundleProgram(entry: string, external: readonly string[] = []): Promise<string> {
  const folder = path.join(path.dirname(entry), 'node_modules', '.cache')
  mkdirSync(folder, { recursive: true })
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}-${process.pid}.mjs`)
  await build({
    entryPoints: [entry],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error' },
    conditions: ['@interleave/source'],
    external: [...external],
    // Packages of the older kind require what Node brings.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  return outfile
}
