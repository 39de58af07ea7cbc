import { mkdtempSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { fetchNode } from '../../../scripts/fetch-tool.mjs'
import { freePort } from '../../processes/freePorts.ts'
import { answers, run, start } from './command.ts'

/** A server starts only with one. */
const secret = 'a-secret-for-tests-only-of-32-bytes-and-more'
/** The commands that serve the built app on a port. */
export const templates = {
  'vite-react': (port: number) => `npm run preview -- --port ${port} --strictPort`,
  'next-app-router': (port: number) => `SECRET=${secret} npm start -- --port ${port}`,
  'cloudflare-worker': (port: number) => `npm run preview -- --port ${port} --strictPort`,
  'node-hono': (port: number) => `SECRET=${secret} PORT=${port} npm start`,
}
/** A limit for what hangs, not for a machine that is busy. */
export const minutes = 10 * 60_000

export type Template = keyof typeof templates
export const dev = (port: number): string => `npm run dev -- --port ${port}`
export const root = path.join(import.meta.dirname, '../../..')
/** The oldest Node line that is supported, as newcomers have it. */
const oldest = '22.22.2'
export const newest: string = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).toolchain.node
const quiet = {
  npm_config_omit_lockfile_registry_resolved: 'false',
  NEXT_TELEMETRY_DISABLED: '1',
  WRANGLER_SEND_METRICS: 'false',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

export let browser: Browser
/** A new folder, for the apps of a file. */
export let folder: string
export let env: Environment
export type Environment = Readonly<Record<string, string>>

/** Gives the tests of a file a browser, a folder, and the environment of a newcomer. */
export function useNewFolder(): void {
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'new-apps-'))
    browser = await chromium.connect(inject('browser'))
    env = await environment(oldest)
  }, minutes)

  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true, force: true })
  }, minutes)
}

/** The environment of a newcomer who has this Node. */
export async function environment(node: string): Promise<Environment> {
  const found = { ...quiet, PATH: [await fetchNode(node), process.env.PATH].join(path.delimiter) }
  expect((await run('node --version', { cwd: folder, env: found })).trim()).toBe(`v${node}`)
  return found
}

/** Runs a command in the new folder, or in an app of it. */
export const inFolder = (line: string, app = '.', its = env): Promise<string> =>
  run(line, { cwd: path.join(folder, app), env: its })

/** Runs a command of the repository, as a reader of the README does in a clone. */
export const inClone = (line: string, its = env): Promise<string> => run(line, { cwd: root, env: its })

export const create = (app: string, template: Template, its = env): Promise<string> =>
  inClone(`npm run new -- ${path.join(folder, app)} --template ${template}`, its)

/** Puts the packages into an app that was not made by `create`. */
export const pack = (app: string): Promise<string> => inClone(`npm run pack -- ${path.join(folder, app)}`)

export async function pickTime(page: Page): Promise<void> {
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
export async function converse(app: string, serve: (port: number) => string): Promise<void> {
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

/** Creates an app, installs and tests it, and has a conversation with it, as it is developed and as it is built. */
export async function createAndTry(template: Template): Promise<void> {
  await create(template, template)
  expect(await inFolder('npm install --loglevel=warn', template)).not.toMatch(/npm warn (?!deprecated|install-scripts)/)
  await inFolder('npm test', template)
  await converse(template, dev)
  await inFolder('npm run build', template)
  await converse(template, templates[template])
}
