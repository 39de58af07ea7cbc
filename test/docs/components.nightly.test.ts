import { execFile } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchTool } from '../../scripts/fetch-tool.mjs'
import { codeBlocks } from './codeBlocks.ts'
import { moduleNamed } from './modules.ts'
import { openPages, type Pages } from './openPages.ts'
import { tsconfig } from './tsconfig.ts'

const run = promisify(execFile)
/** Vue and Svelte, with what their templates of Vite have. Their compilers need a TypeScript before 7. */
const packages = [
  ...['vue@3.5.45', '@vitejs/plugin-vue@6.0.11', 'vue-tsc@3.3.14'],
  ...['svelte@5.57.3', '@sveltejs/vite-plugin-svelte@7.3.1', 'svelte-check@4.7.8'],
  ...['typescript@6.0.3', 'vite@8.3.8'],
]
const folder = path.join(import.meta.dirname, '.generated/components')
const installed = path.join(folder, 'node_modules')

let pages: Pages | undefined

/** Writes the app of the page: its components, its functions, and the agent of the first page. */
function writeApp(home: string): void {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  symlinkSync(path.join(home, 'node_modules'), installed)
  for (const name of ['docs/getting-started.md 1', 'docs/vue-and-svelte.md 1', 'docs/vue-and-svelte.md 2']) {
    const { file = '', code } = moduleNamed(name).block
    writeFileSync(path.join(folder, file), code)
  }
  for (const language of ['vue', 'svelte'])
    writeFileSync(path.join(folder, `App.${language}`), codeBlocks('docs/vue-and-svelte.md', language)[0] ?? '')
  const compilerOptions = { ...tsconfig.compilerOptions, allowJs: false, checkJs: false, types: ['vite/client'] }
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*'] }))
}

beforeAll(async () => {
  const home = await fetchTool('vue-3.5.45-svelte-5.57.3', packages)
  writeApp(home)
  const { default: vue } = await import(path.join(installed, '@vitejs/plugin-vue/dist/index.mjs'))
  const { svelte } = await import(path.join(installed, '@sveltejs/vite-plugin-svelte/src/index.js'))
  pages = await openPages({
    folder,
    plugins: [vue(), svelte({ configFile: false })],
    scripts: {
      vue: `import { createApp } from 'vue'\nimport App from '../App.vue'\ncreateApp(App).mount('#root')`,
      svelte: `import { mount } from 'svelte'\nimport App from '../App.svelte'\nmount(App, { target: document.body })`,
    },
  })
}, 300_000)

afterAll(() => pages?.close())

it.each([
  ['vue', 'vue-tsc/bin/vue-tsc.js', ['--noEmit', '-p', folder]],
  ['svelte', 'svelte-check/bin/svelte-check', ['--workspace', folder, '--tsconfig', './tsconfig.json']],
])('type-checks the component of %s', async (_, program, args) => {
  await expect(run(process.execPath, [path.join(installed, program), ...args])).resolves.toBeDefined()
})

it.each(['vue', 'svelte'])('shows a question in the component of %s, and books what the user picks', async (name) => {
  const page = (await pages?.open(name)) ?? expect.unreachable()
  await page.getByText('When?').waitFor()
  await page.getByRole('button', { name: '20:30' }).click()

  await page.getByText('Booked for 4 at 20:30. (I am a demo model.)').waitFor()
  expect(await page.getByRole('button').count()).toBe(0)
})
