import path from 'node:path'
import { build } from 'esbuild'

/** The script of the page, made of the sources of the packages. */
export async function bundlePage(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, 'page', 'page.ts')],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    conditions: ['@interleave/source'],
    logLevel: 'error',
  })
  return outputFiles[0]?.text ?? ''
}
