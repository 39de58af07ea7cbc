import path from 'node:path'
import { type BuildOptions, build } from 'esbuild'

/**
 * Bundles scripts of pages and workers from the sources of the packages.
 *
 * @param folder The folder of their modules.
 * @param names The names of their modules.
 * @returns The text of each script, by its path on a server, such as `/page.js`.
 */
export async function bundlePages(
  folder: string,
  names: readonly string[],
  options: Pick<BuildOptions, 'jsx' | 'define'> = {},
): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: names.map((name) => path.join(folder, name)),
    ...{ bundle: true, minify: true, write: false, outdir: '/', format: 'esm', target: 'es2023', logLevel: 'error' },
    conditions: ['@interleave/source'],
    ...options,
  })
  return new Map(outputFiles.map((file) => [file.path, file.text]))
}
