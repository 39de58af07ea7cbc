import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'

/** The worker, or another program of this folder, as one file, so that a process of it is there soon. */
export async function bundleWorker(name = 'worker'): Promise<string> {
  const folder = path.join(import.meta.dirname, 'node_modules', '.cache')
  mkdirSync(folder, { recursive: true })
  const outfile = path.join(folder, `${name}-${process.pid}.mjs`)
  await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    outfile,
    ...{ bundle: true, platform: 'node', format: 'esm', target: 'node22', logLevel: 'error' },
    conditions: ['@interleave/source'],
    // What the SDK requires of Node.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  return outfile
}
