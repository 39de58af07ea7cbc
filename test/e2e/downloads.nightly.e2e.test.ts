import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { freePort } from '../processes/freePorts.ts'
import { answers, start } from './newApps/command.ts'
import { browser, env, folder, inFolder, minutes, pack, templates, useNewFolder } from './newApps/newFolder.ts'
import { clickPrompt, openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

useNewFolder()

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

    expect(model.received.join()).toContain(key)
    expect(texts.join('\n')).toContain('It is 12.675')
    expect(texts.filter((text) => text.includes('canary') || text.includes(model.url))).toEqual([])
  },
  minutes,
)
