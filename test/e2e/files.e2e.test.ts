import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { openPlayground, untilStatus } from './openPlayground.ts'
import { standIn, useStandIn } from './standIn.ts'

const context = useContext()

/** An image of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Drops or pastes a file on the message box, as a browser does. */
const bring = (page: Page, how: 'drop' | 'paste', name: string, type = 'image/png'): Promise<void> =>
  page.getByLabel('Message').evaluate(
    (field, { how, name, type, pixel }) => {
      const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], name, { type }))
      const init = { bubbles: true, cancelable: true }
      field.dispatchEvent(
        how === 'drop'
          ? new DragEvent('drop', { ...init, dataTransfer: data })
          : new ClipboardEvent('paste', { ...init, clipboardData: data }),
      )
    },
    { how, name, type, pixel },
  )

test('files are picked, dropped and pasted, removed, and sent with a message', async () => {
  const model = await standIn([{ text: 'Nice.' }])
  const { page, problems } = await openPlayground(context())
  expect(await page.getByRole('button', { name: 'Attach files' }).count()).toBe(0)
  await useStandIn(page, { url: model.url })

  const choosing = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Attach files' }).click()
  await (await choosing).setFiles({ name: 'picked.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') })
  await bring(page, 'drop', 'dropped.png')
  await bring(page, 'paste', 'pasted.png')
  await bring(page, 'drop', 'page.html', 'text/html')
  await page.getByText('“page.html” was not added').waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Remove dropped.png' }).click()
  await page.getByLabel('Message').fill('What are these?')
  await page.keyboard.press('Enter')
  await untilStatus(page, 'Done')
  await model.close()

  expect(await page.getByRole('button', { name: /^Remove / }).count()).toBe(0)
  const said = await page.locator('.bubble').first().textContent()
  expect(said).toContain('What are these?')
  expect(said).toContain('picked.png')
  expect(said).toContain('pasted.png')
  expect(said).not.toContain('dropped.png')
  expect(problems).toEqual([])
})
