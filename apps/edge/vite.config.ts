import { cp, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { defineConfig, type Plugin } from 'vite'
import { pageHeaders } from './src/pageHeaders.ts'

const page = path.join(import.meta.dirname, 'dist', 'page')
/** PLAYGROUND_DIST names another build of it. */
const playground = process.env.PLAYGROUND_DIST ?? path.join(import.meta.dirname, '..', 'playground', 'dist')

/** The built playground, with the headers that it is served with. */
const withPage = (): Plugin => ({
  name: 'with-page',
  async closeBundle() {
    await rm(page, { recursive: true, force: true })
    await cp(playground, page, { recursive: true })
    await writeFile(path.join(page, '_headers'), pageHeaders())
  },
})

/** One module, as it is uploaded. */
export default defineConfig({
  plugins: [withPage()],
  resolve: { conditions: ['workerd', 'worker', 'module'] },
  build: {
    outDir: 'dist/worker',
    target: 'es2023',
    minify: true,
    lib: { entry: 'src/worker.ts', formats: ['es'], fileName: 'worker' },
    rolldownOptions: { external: [/^cloudflare:/], output: { codeSplitting: false } },
  },
})
