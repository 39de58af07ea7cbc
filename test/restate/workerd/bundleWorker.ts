import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type Plugin } from 'esbuild'

/** A worker as workerd takes it. */
export interface BundledWorker {
  readonly code: string
  /** Compiled modules that it imports, by file names. */
  readonly wasm: Readonly<Record<string, Uint8Array>>
  /** The builtin modules that it imports. */
  readonly builtins: readonly string[]
}

/** A file of the workspace as one module, with the WebAssembly beside it, as a platform compiles it ahead. */
export async function bundleWorker(file: string): Promise<BundledWorker> {
  const wasm: Record<string, Uint8Array> = {}
  const neighbors: Plugin = {
    name: 'wasm',
    setup: ({ onResolve }) =>
      onResolve({ filter: /\.wasm$/ }, async ({ path: name, resolveDir }) => {
        const { base } = path.parse(name)
        wasm[base] = await readFile(path.join(resolveDir, name))
        return { path: `./${base}`, external: true }
      }),
  }
  const { outputFiles, metafile } = await build({
    entryPoints: [file],
    ...{ bundle: true, write: false, metafile: true, platform: 'neutral', format: 'esm', target: 'es2023' },
    mainFields: ['module', 'main'],
    conditions: ['@interleave/source', 'workerd', 'worker'],
    external: ['node:*'],
    plugins: [neighbors],
    logLevel: 'error',
  })
  const [output] = outputFiles
  if (!output) throw new Error(`${file} made no bundle`)
  const imports = Object.values(metafile.outputs).flatMap((each) => each.imports)
  const builtins = imports.filter(({ external }) => external).map((each) => each.path)
  return { code: output.text, wasm, builtins: [...new Set(builtins)].filter((each) => !each.endsWith('.wasm')) }
}
