import path from 'node:path'
import { build, type Plugin } from 'esbuild'

export interface BundleOptions {
  /** Packages that are left out. */
  readonly external?: readonly string[]
  /** The folder whose packages the module imports, relative to this one. */
  readonly from?: string
  /** True to leave out modules that are loaded later, by `import()`. */
  readonly atStart?: boolean
}

const leaveLater: Plugin = {
  name: 'leave what is loaded later',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^/ }, ({ path: module, kind }) =>
      kind === 'dynamic-import' ? { path: module, external: true } : undefined,
    ),
}

/** A module with all it imports, for a browser, minified as for production. Whatever Node alone has is left out. */
export async function bundle(
  code: string,
  { external = [], from = '.', atStart = false }: BundleOptions = {},
): Promise<Buffer> {
  const result = await build({
    stdin: { contents: code, resolveDir: path.join(import.meta.dirname, from), loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    legalComments: 'none',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['node:*', 'async_hooks', ...external.flatMap((name) => [name, `${name}/*`])],
    plugins: atStart ? [leaveLater] : [],
    logLevel: 'error',
  })
  const [file] = result.outputFiles
  if (!file) throw new Error('The bundler gave no file.')
  return Buffer.from(file.contents)
}
