import path from 'node:path'
import { build } from 'vite'

/** A worker of this folder as one module, made of the sources of the packages. */
export async function bundleWorker(file: string): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    root: import.meta.dirname,
    resolve: { conditions: ['@interleave/source', 'workerd', 'worker', 'module'] },
    build: {
      write: false,
      minify: false,
      target: 'es2023',
      lib: { entry: path.join(import.meta.dirname, file), formats: ['es'], fileName: 'worker' },
      rolldownOptions: { external: [/^cloudflare:/], output: { codeSplitting: false } },
    },
  })
  const [first] = Array.isArray(output) ? output : [output]
  if (!first || !('output' in first)) throw new Error(`${file} made no bundle`)
  return first.output[0].code
}
