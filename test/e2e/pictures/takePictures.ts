import { mkdir, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { argv } from 'node:process'
import { type BrowserContext, chromium, type Page } from 'playwright-core'
import { preview } from 'vite'
import { chromiumArgs, findChromium } from '../../../scripts/find-chromium.mjs'
import { freePort } from '../../processes/freePorts.ts'
import { type Picture, pictures } from './pictures.ts'

// Takes the pictures of the docs anew, from the built playground: `node test/e2e/pictures/takePictures.ts [NAME …]`.

const root = path.join(import.meta.dirname, '../../..')
const folder = path.join(root, 'docs/images')

async function take(context: BrowserContext, { name, act, isDark }: Picture): Promise<void> {
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  await page.emulateMedia({ colorScheme: isDark ? 'dark' : 'light', reducedMotion: 'reduce' })
  await act(page, address)
  // Fonts and the last frame.
  await page.waitForTimeout(300)
  await writeFile(path.join(folder, `${name}.webp`), await shoot(page))
}

/** Writes WebP, which is a third of the size of a PNG. */
async function shoot(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 85 })
  return Buffer.from(data, 'base64')
}

const names = argv.slice(2)
const wanted = pictures.filter(({ name }) => names.length === 0 || names.includes(name))
const port = await freePort()
const server = await preview({
  root: path.join(root, 'apps/playground'),
  logLevel: 'error',
  preview: { host: '127.0.0.1', port },
})
const address = `http://127.0.0.1:${(server.httpServer.address() as AddressInfo).port}/`
const executablePath = findChromium()
const browser = await chromium.launch({ args: chromiumArgs, ...(executablePath && { executablePath }) })
await mkdir(folder, { recursive: true })
for (const picture of wanted) {
  const viewport = picture.isNarrow ? { width: 390, height: 844 } : { width: 1440, height: 900 }
  const context = await browser.newContext({ viewport, deviceScaleFactor: 1.5 })
  try {
    await take(context, picture)
    console.log(`took ${picture.name}`)
  } catch (error) {
    console.error(`could not take ${picture.name}: ${error}`)
    process.exitCode = 1
  } finally {
    await context.close()
  }
}
await browser.close()
await server.close()
