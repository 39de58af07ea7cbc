import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type OnLoadArgs, type Plugin } from 'esbuild'

/** The files of this repository that a program is made of, each with the hash of its bytes. */
export type ModuleGraph = ReadonlyMap<string, string>

const root = path.join(import.meta.dirname, '../..')

/** Follows a program as a bundler does, from the file where it begins. */
export async function graphOf(entry: string): Promise<ModuleGraph> {
  const files = new Map<string, string>()
  const note = async ({ path: file }: Pick<OnLoadArgs, 'path'>): Promise<undefined> => {
    const hash = createHash('sha256').update(await readFile(file))
    files.set(path.relative(root, file), hash.digest('hex'))
  }
  await build({
    entryPoints: [path.join(root, entry)],
    absWorkingDir: root,
    bundle: true,
    write: false,
    format: 'esm',
    packages: 'external',
    external: ['*.css', '*&url'],
    outdir: '/',
    plugins: [noting(note)],
    logLevel: 'error',
  })
  return files
}

const noting = (note: (args: Pick<OnLoadArgs, 'path'>) => Promise<undefined>): Plugin => ({
  name: 'noting',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /\?raw$/ }, ({ path: file, resolveDir }) => ({
      path: path.join(resolveDir, file.replace(/\?raw$/, '')),
      namespace: 'raw',
    }))
    onLoad({ filter: /./, namespace: 'raw' }, async (args) => {
      await note(args)
      return { contents: await readFile(args.path, 'utf8'), loader: 'text' }
    })
    onLoad({ filter: /./ }, note)
  },
})
