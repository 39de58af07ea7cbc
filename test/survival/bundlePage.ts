import path from 'node:path'
import { build } from 'esbuild'

/** The pages and the worker as a server gives them out, by path. */
export async function bundlePage(): Promise<ReadonlyMap<string, string>> {
  const folder = path.join(import.meta.dirname, 'page')
  const { outputFiles } = await build({
    entryPoints: ['page.ts', 'worker.ts', 'tab.ts'].map((name) => path.join(folder, name)),
    bundle: true,
    minify: true,
    write: false,
    outdir: '/',
    format: 'esm',
    target: 'es2023',
    conditions: ['@interleave/source'],
    logLevel: 'error',
  })
  const files = outputFiles.map((file) => [file.path, file.text] as const)
  return new Map([['/', pageOf('/page.js')], ['/tab', pageOf('/tab.js')], ...files])
}

const pageOf = (script: string): string =>
  `<!doctype html><title>Survival</title><script type="module" src="${script}"></script>`
