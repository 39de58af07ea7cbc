import path from 'node:path'
import { build, defaultServerConditions } from 'vite'

/** Makes the worker one file, so that a process of it is there soon. Gives its path. */
export async function buildWorker(folder: string): Promise<string> {
  await build({
    configFile: false,
    root: path.join(import.meta.dirname, '../../..'),
    logLevel: 'warn',
    envDir: false,
    publicDir: false,
    ssr: { noExternal: true, resolve: { conditions: ['@interleave/source', ...defaultServerConditions] } },
    build: {
      ssr: path.join(import.meta.dirname, 'worker.ts'),
      outDir: folder,
      emptyOutDir: true,
      target: 'node22',
      rolldownOptions: { output: { entryFileNames: 'worker.mjs' } },
    },
  })
  return path.join(folder, 'worker.mjs')
}
