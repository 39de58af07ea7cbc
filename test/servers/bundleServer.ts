import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/** The server as one file, so that a process of it is there soon. */
export async function bundleServer(): Promise<string> {
  const folder = path.join(import.meta.dirname, 'node_modules', '.cache')
  mkdirSync(folder, { recursive: true })
  const outfile = path.join(folder, `shopServer-${process.pid}.mjs`)
  await build({
    entryPoints: [path.join(import.meta.dirname, 'shopServer.ts')],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error' },
    conditions: ['@interleave/source'],
    external: ['pg-native'],
    // What `pg` requires of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  return outfile
}
