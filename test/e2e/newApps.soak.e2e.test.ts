import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { fetchNode } from '../../scripts/fetch-tool.mjs'
import { freePort } from '../processes/freePorts.ts'
import { runtimes } from '../processes/installedRuntime.ts'
import { answers, run, start } from './newApps/command.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

/** A server starts only with one. */
const secret = 'a-secret-for-tests-only-of-32-bytes-and-more'
/** The commands that serve the built app on a port. */
const templates = {
  'vite-react': (port: number) => `npm run preview -- --port ${port} --strictPort`,
  'next-app-router': (port: number) => `SECRET=${secret} npm start -- --port ${port}`,
  'cloudflare-worker': (port: number) => `npm run preview -- --port ${port} --strictPort`,
  'node-hono': (port: number) => `SECRET=${secret} PORT=${port} npm start`,
}
/** A limit for what hangs, not for a machine that is busy. */
const minutes = 10 * 60_000

type Template = keyof typeof templates
const names = Object.keys(templates) as Template[]
const dev = (port: number): string => `npm run dev -- --port ${port}`
const root = path.join(import.meta.dirname, '../..')
/** The oldest Node line that is supported, as newcomers have it. */
const oldest = '22.22.2'
const newest: string = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).toolchain.node
const quiet = {
  npm_config_omit_lockfile_registry_resolved: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

let browser: Browser
let folder: string
let env: Environment
type Environment = Readonly<Record<string, string>>

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'new-apps-'))
  browser = await chromium.connect(inject('browser'))
  env = await environment(oldest)
}, minutes)

afterAll(async () => {
  await browser?.close()
  await rm(folder, { recursive: true, force: true })
}, minutes)

/** The environment of a newcomer who has this Node. */
async function environment(node: string): Promise<Environment> {
  const found = { ...quiet, PATH: [await fetchNode(node), process.env.PATH].join(path.delimiter) }
  expect((await run('node --version', { cwd: folder, env: found })).trim()).toBe(`v${node}`)
  return found
}

/** Runs a command in the new folder, or in an app of it. */
const inFolder = (line: string, app = '.', its = env): Promise<string> =>
  run(line, { cwd: path.join(folder, app), env: its })

/** Runs a command of the repository, as a reader of the README does in a clone. */
const inClone = (line: string, its = env): Promise<string> => run(line, { cwd: root, env: its })

const create = (app: string, template: Template, its = env): Promise<string> =>
  inClone(`npm run new -- ${path.join(folder, app)} --template ${template}`, its)

/** Puts the packages into an app that was not made by `create`. */
const pack = (app: string): Promise<string> => inClone(`npm run pack -- ${path.join(folder, app)}`)

async function pickTime(page: Page): Promise<void> {
  await page.getByRole('dialog').getByText('20:30').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reply' }).click()
}

/** Opens a page again in a tab that begins with what this one has stored, as a browser duplicates a tab. */
async function duplicate(page: Page): Promise<Page> {
  const opening = page.waitForEvent('popup')
  await page.evaluate(() => void open(location.href))
  return opening
}

/** Has a conversation with the app that a command serves. */
async function converse(app: string, serve: (port: number) => string): Promise<void> {
  const port = await freePort()
  const server = start(serve(port), { cwd: path.join(folder, app), env })
  const context = await browser.newContext()
  const problems: string[] = []
  try {
    const url = `http://localhost:${port}/`
    await answers(url, server)
    // A server that compiles what is asked for takes its time.
    context.setDefaultTimeout(120_000)
    const page = await context.newPage()
    page.on('pageerror', ({ message }) => problems.push(message))
    page.on(
      'response',
      (response) => response.status() >= 400 && problems.push(`${response.status()} ${response.url()}`),
    )
    await page.goto(url)
    await page.getByText('A demo model answers').waitFor()
    await page.getByRole('button', { name: 'A table for four, please.' }).click()
    await page.getByRole('dialog').waitFor()
    await page.reload()
    await page.getByRole('dialog').waitFor()
    const copy = await duplicate(page)
    await pickTime(copy)
    for (const tab of [copy, page]) await tab.getByText('Booked for 4 at 20:30.').waitFor()
    await copy.close()
    // Blanks are no message.
    for (const text of ['  ', 'Please fail.']) {
      await page.getByLabel('Message').fill(text)
      await page.keyboard.press('Enter')
    }
    await page.getByText('The model cannot answer at the moment.').first().waitFor()
    await page.getByRole('button', { name: 'Retry' }).waitFor()
    // Its message is for the developer.
    expect(await page.getByText('The demo model fails if a message says so.').count()).toBe(0)
    expect(await page.locator('.mine').allTextContents()).toEqual(['A table for four, please.', 'Please fail.'])
    expect(problems).toEqual([])
  } catch (error) {
    throw new Error(`${app} failed in Chromium. The server printed:\n${server.printed()}`, { cause: error })
  } finally {
    await context.close()
    await server.stop()
  }
}

it.each(names)(
  'creates, installs, tests and builds %s on Node 22, and it answers in Chromium',
  async (template) => {
    await create(template, template)
    expect(await inFolder('npm install --loglevel=warn', template)).not.toMatch(
      /npm warn (?!deprecated|install-scripts)/,
    )
    await inFolder('npm test', template)
    await converse(template, dev)
    await inFolder('npm run build', template)
    await converse(template, templates[template])
  },
  minutes,
)

it(
  'installs an app without a network once npm has what it needs',
  async () => {
    await rm(path.join(folder, 'vite-react/node_modules'), { recursive: true })
    await inFolder('npm install --offline', 'vite-react')
    await inFolder('npm test', 'vite-react')
  },
  minutes,
)

it(
  'works with React 18.3, and `create-interleave` as it is packed',
  async () => {
    // As npm runs it, once it is published.
    const bin = path.join(folder, 'create-interleave.tgz')
    await inClone(`npm run x -- pnpm --dir packages/create-interleave pack --out ${bin}`)
    await inFolder(`npx --yes --package ${bin} create-interleave react-18 --template vite-react`)
    await pack('react-18')
    const file = path.join(folder, 'react-18/package.json')
    const manifest = readFileSync(file, 'utf8')
    writeFileSync(
      file,
      manifest
        .replace(/("react(?:-dom)?": )"[^"]+"/g, '$1"18.3.1"')
        .replace(/("@types\/react(?:-dom)?": )"[^"]+"/g, '$1"^18.3.0"'),
    )
    await inFolder('npm install', 'react-18')
    await inFolder('npm run build', 'react-18')
    await converse('react-18', templates['vite-react'])
  },
  minutes,
)

/** Downloads the project of the run that is shown, into the new folder. Returns its name, and its files as text. */
async function downloaded(page: Page): Promise<{ readonly name: string; readonly texts: readonly string[] }> {
  await page.getByRole('tab', { name: 'Code' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download project' }).click()
  const zip = await buffer(await (await downloading).createReadStream())
  const files = Object.entries(unzipSync(zip))
  for (const [file, content] of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
    writeFileSync(path.join(folder, file), content)
  }
  return {
    name: files[0]?.[0].split('/')[0] ?? '',
    texts: files.map(([, content]) => new TextDecoder().decode(content)),
  }
}

/** Installs, tests, type-checks and builds a project, and opens it where its command serves it. */
async function serveProject(name: string, work: (page: Page) => Promise<void>): Promise<void> {
  await pack(name)
  for (const line of ['npm install', 'npm test', 'npm run build']) await inFolder(line, name)
  const port = await freePort()
  const server = start(templates['vite-react'](port), { cwd: path.join(folder, name), env })
  const context = await browser.newContext()
  try {
    const url = `http://localhost:${port}/`
    await answers(url, server)
    const page = await context.newPage()
    const problems: string[] = []
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(url)
    await work(page)
    expect(problems).toEqual([])
  } finally {
    await context.close()
    await server.stop()
  }
}

it(
  'a project of the trip planner that the playground gives works from an empty folder',
  async () => {
    const context = await browser.newContext()
    const { page: playground } = await openPlayground(context)
    const prompt = 'Find a train from Paris to Amsterdam and book it'
    const book = async (page: Page): Promise<void> => {
      const dialog = page.getByRole('dialog')
      await dialog.getByText('07:20 → 10:40').click()
      await dialog.getByRole('button', { name: 'Reply' }).click()
      await dialog.getByRole('button', { name: 'Approve' }).click()
      await page
        .getByText(/^Booked: the train from Paris/)
        .last()
        // Its bank answers after 30 seconds.
        .waitFor({ timeout: 90_000 })
    }
    await clickPrompt(playground, prompt)
    await book(playground)
    await untilStatus(playground, 'Done')
    const { name } = await downloaded(playground)
    await context.close()

    await serveProject(name, async (page) => {
      await page.getByRole('button', { name: prompt }).click()
      await page.getByRole('dialog').waitFor()
      await page.reload()
      await book(page)
    })
  },
  minutes,
)

it(
  'a project of an agent whose model has a key has no key in it',
  async () => {
    const key = 'sk-canary-0123456789abcdef0123456789abcdef'
    const calls = [{ name: 'calculate', input: { expression: '15% of 84.50' } }]
    const model = await standIn([{ calls }, { text: `It is 12.675, and the key is ${key}.` }])
    const context = await browser.newContext()
    const { page: playground } = await openPlayground(context)
    await useStandIn(playground, { url: model.url, key })
    await clickPrompt(playground, 'What is 15% of 84.50?')
    await untilStatus(playground, 'Done')
    const { texts } = await downloaded(playground)
    await context.close()
    await model.close()

    expect(model.heard.join()).toContain(key)
    expect(texts.join('\n')).toContain('It is 12.675')
    expect(texts.filter((text) => text.includes('canary') || text.includes(model.url))).toEqual([])
  },
  minutes,
)

it(
  'runs the program of the README on Node, Bun and Deno',
  async () => {
    const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
    const files = [...readme.matchAll(/^```ts\n(\/\/ (\w+\.ts)\n[\s\S]*?)^```/gm)]
    await inFolder('mkdir program')
    for (const [, program = '', name = ''] of files) writeFileSync(path.join(folder, 'program', name), program)
    await inFolder('npm init --yes', 'program')
    await inFolder('npm pkg set type=module', 'program')
    await pack('program')
    await inFolder(/`(npm install [^`]*core[^`]+)`/.exec(readme)?.[1] ?? '', 'program')
    await inFolder(`npm install bun@${runtimes.bun} deno@${runtimes.deno}`, 'program')

    for (const command of ['node', 'npx bun', 'npx deno run --allow-env'])
      expect(await inFolder(`${command} main.ts`, 'program'), command).toContain('Booked for 4 at 20:30.')
  },
  minutes,
)

it(
  'answers on the newest Node too, and tells how long a newcomer waits for the first answer',
  async () => {
    const its = await environment(newest)
    const port = await freePort()
    const context = await browser.newContext()
    const began = performance.now()
    await create('first', 'vite-react', its)
    await inFolder('npm install', 'first', its)
    const server = start(dev(port), { cwd: path.join(folder, 'first'), env: its })
    try {
      await answers(`http://localhost:${port}/`, server)
      const page = await context.newPage()
      await page.goto(`http://localhost:${port}/`)
      await page.getByRole('button', { name: 'A table for four, please.' }).click()
      await pickTime(page)
      await page.getByText('Booked for 4 at 20:30.').waitFor()
      console.info(
        `vite-react, Node ${newest}: ${((performance.now() - began) / 1_000).toFixed(1)} s to the first answer`,
      )
    } finally {
      await context.close()
      await server.stop()
    }
  },
  minutes,
)
