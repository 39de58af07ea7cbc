import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext({ isKeptOffline: true })
const playground = path.join(import.meta.dirname, '../../apps/playground')
const first = path.join(playground, 'dist')
let second = ''
let url: string
/** The files of the server: one build alone, as after a deployment. */
let deployed = first
let asksForSignIn = false

beforeAll(async () => {
  second = await mkdtemp(path.join(os.tmpdir(), 'interleave-deploy-'))
  await buildOther(second)
  const server = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/sign-in') return response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>')
    if (asksForSignIn && pathname === '/') return response.writeHead(302, { location: '/sign-in' }).end()
    const file = path.join(deployed, pathname === '/' ? 'index.html' : pathname)
    const content = await readFile(file).catch(() => undefined)
    if (!content) return response.writeHead(404).end()
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream').end(content)
  })
  url = `${server.url}/`
})
afterAll(async () => {
  await closeServers()
  await rm(second, { recursive: true, force: true })
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
}

/** Builds the page once more, with other code in each file. In a process of its own: vitest sets NODE_ENV. */
const buildOther = (outDir: string) => {
  const other =
    "{ name: 'other', renderChunk: (code) => ({ code: 'globalThis.isOtherBuild = true;' + code, map: null }) }"
  const options = `{ logLevel: 'error', plugins: [${other}], build: { outDir: ${JSON.stringify(outDir)}, emptyOutDir: true } }`
  return promisify(execFile)(
    process.execPath,
    ['--input-type=module', '-e', `import { build } from 'vite'; await build(${options})`],
    { cwd: playground, env: { ...process.env, NODE_ENV: 'production', VITEST: '' } },
  )
}

test('a window of the version before a deploy works on, and a sign-in before the page is reached', async () => {
  const { page: old } = await openPlayground(context(), { url })
  await old.waitForFunction(() => navigator.serviceWorker.controller !== null)
  const { page: late } = await openPlayground(context(), { url })
  deployed = second

  const { page: next } = await openPlayground(context(), { url })
  await next.getByRole('button', { name: 'Reload' }).click()
  await next.waitForFunction(async () => (await navigator.serviceWorker.getRegistration())?.waiting === null)
  await next.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  expect(await next.evaluate(() => 'isOtherBuild' in globalThis)).toBe(true)
  expect(await old.evaluate(() => 'isOtherBuild' in globalThis)).toBe(false)

  // It was offered the new version too, and takes it after the other window did.
  await late.getByRole('button', { name: 'Reload' }).click()
  await late.waitForFunction(() => 'isOtherBuild' in globalThis)

  // Parts of the old version, which only the service worker has now, are fetched for the run.
  await clickPrompt(old, 'What is 15% of 84.50?')
  await untilStatus(old, 'Done')
  await expect.poll(() => answerIn(old)).toContain('12.675')

  asksForSignIn = true
  await next.reload()
  await next.getByRole('heading', { name: 'Sign in' }).waitFor()
})
