import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { useContext } from './browser.ts'
import { everythingStored } from './everythingStored.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()
const root = path.join(import.meta.dirname, '../..')
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')
const canary = 'sk-canary-7f3a9c1e5b8d2046'

test('row 9: a key that was typed is nowhere but in the requests', async () => {
  const model = await standIn([{ text: 'Hello.' }, { error: 'The key is wrong.' }])
  const { page } = await openPlayground(context())
  const written: string[] = []
  page.on('console', (message) => written.push(message.text()))
  await page.exposeFunction('tellBroadcast', (message: string) => written.push(message))
  await page.addInitScript(tellBroadcasts)
  await page.reload()

  await useStandIn(page, { url: model.url, key: canary })
  await page.getByLabel('Message').fill('Hi')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await page.getByLabel('Message').fill('Again')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Failed')
  written.push(page.url(), await page.content(), await page.evaluate(everythingStored))
  const downloading = page.waitForEvent('download')
  await page.evaluate(() => (document.activeElement as HTMLElement).blur())
  await page.keyboard.press('e')
  written.push(await text(await (await downloading).createReadStream()))
  await model.close()

  expect(model.received.every((headers) => headers.includes(canary))).toBe(true)
  expect(written.at(-1)).toContain('interleave.debug')
  expect(written.at(-2)).toContain(model.url)
  expect(written.filter((place) => place.includes(canary))).toEqual([])
})

test('row 9: keys of the environment are in no file of a build', () => {
  const keys = [...read('apps/playground/.env').matchAll(/=(.*canary.*)/g)].map(([, key = '']) => key)
  const dist = path.join(root, 'apps/playground/dist')
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  const contents = files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8'))

  expect([keys.length, contents.length > 20]).toEqual([4, true])
  expect(keys.filter((key) => contents.some((content) => content.includes(key)))).toEqual([])
  expect(contents.filter((content) => content.includes('canary'))).toEqual([])
})

test('row 9: the packages read no environment, so that none can get into them', () => {
  const found = ['core', 'react'].flatMap((name) => {
    const dist = path.join(root, `packages/${name}/dist`)
    return readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(path.join(dist, file), 'utf8'))
  })

  expect(found.length).toBeGreaterThan(5)
  expect(found.filter((code) => /process\.env\.(?!NODE_ENV)|import\.meta\.env/.test(code))).toEqual([])
})

/** Runs in the page: what it tells other tabs is told to the test, too. */
function tellBroadcasts(): void {
  const { postMessage } = BroadcastChannel.prototype
  BroadcastChannel.prototype.postMessage = function (message: unknown) {
    ;(globalThis as unknown as { tellBroadcast(message: string): void }).tellBroadcast(JSON.stringify(message))
    postMessage.call(this, message)
  }
}
