import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { openChats } from './openChats.ts'
import type { World } from './page.tsx'

const open = openChats()

const proceed = (page: Page): Promise<void> => page.evaluate(() => (window as unknown as World).proceed())
/** A page that is loaded again knows what is kept, and does again what is not. */
const kept = (page: Page, type: string) =>
  page.waitForFunction((wanted) => (window as unknown as World).kept(wanted), type, { polling: 20 })
const ask = async (page: Page, text: string): Promise<void> => {
  await page.getByLabel('Message').fill(text)
  await page.getByRole('button', { name: 'Send' }).click()
}
const status = (page: Page, name: string) => page.getByRole('status').filter({ hasText: name }).waitFor()
const shown = (page: Page): Promise<string[]> =>
  page.locator('article').evaluateAll((all) => all.map(({ innerHTML }) => innerHTML))

it('streams, continues after a reload in the middle, and shows the same once it is over', async () => {
  const page = await open('weather')
  await ask(page, 'How is the weather?')
  await page.getByText('It is about Bonn.').waitFor()
  await page.getByText('output-available (so far) "Looking at Bonn"').waitFor()
  await proceed(page)
  await page.getByText('Sunny …').waitFor()
  await page.getByText('"Sun over Bonn"').waitFor()
  const before = await shown(page)
  await kept(page, 'observed')

  await page.reload()
  await page.getByText('Sunny …').waitFor()
  await status(page, 'streaming')
  expect(await shown(page)).toEqual(before)
  await proceed(page)
  await page.getByText('Sunny … all day.').waitFor()
  await status(page, 'ready')
  const after = await shown(page)
  await kept(page, 'settled')
  await page.reload()
  await page.getByText('Sunny … all day.').waitFor()

  expect(after).toHaveLength(2)
  expect(await shown(page)).toEqual(after)
})

it.each([
  ['Allow', 'It is booked.', 'output-available'],
  ['Deny', 'As you like.', 'output-denied'],
])(
  'asks before a call, also after a reload, and takes "%s"',
  async (decision, answer, state) => {
    const page = await open(decision)
    await ask(page, 'Book it')
    await page.getByRole('button', { name: decision }).waitFor()
    await kept(page, 'settled')
    await page.reload()

    await page.getByRole('button', { name: decision }).click()
    await page.getByText(answer).waitFor()
    await status(page, 'ready')

    expect((await shown(page))[1]).toContain(state)
    expect(await page.getByRole('alert').count()).toBe(0)
  },
  30_000,
)

it('stops the run when it must, keeps what there is, and continues with the next message', async () => {
  const page = await open('stopped')
  await ask(page, 'Tell me')
  await page.getByText('Sunny …').waitFor()
  await page.getByRole('button', { name: 'Stop' }).click()
  await kept(page, 'settled')
  await page.reload()

  await page.getByText('Sunny …').waitFor()
  await status(page, 'ready')
  await ask(page, 'Book it')
  await page.getByRole('button', { name: 'Allow' }).waitFor()

  expect(await shown(page)).toHaveLength(4)
})
