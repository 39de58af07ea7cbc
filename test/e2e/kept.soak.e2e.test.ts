import { randomBytes } from 'node:crypto'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { audit } from './audit.ts'
import { useContext } from './browser.ts'
import { answerIn, clickPrompt, hurry, openPlayground, untilStatus } from './openPlayground.ts'

const context = useContext()

test('a run that a reload cut off continues by itself, and says what it found', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })
  await context().route(/\/math-/, () => {})

  await clickPrompt(page, 'What is 15% of 84.50?')
  await page.locator('.call[data-state="under way"]').waitFor()
  await untilWritten(page, 4)
  await page.getByLabel('Message').fill('And half of')
  await page.reload()
  await page.getByText('Continued where it was: 1 tool call was started again.').waitFor()
  await context().unroute(/\/math-/)
  await page.reload()
  await untilStatus(page, 'Done')
  await page.getByRole('button', { name: 'Close the notice' }).click()

  await expect.poll(() => answerIn(page)).toContain('12.675')
  await expect.poll(() => page.locator('.call').count()).toBe(1)
  await expect.poll(() => page.getByLabel('Message').inputValue()).toBe('And half of')
  expect(await page.locator('.found-notice').count()).toBe(0)
  expect(problems).toEqual([])
})

/** On a busy machine the turn may be over before it is seen, or before the page is gone: then with another run. */
async function reloadInMidTurn(page: Page, prompt: string): Promise<void> {
  const notice = page.getByText('Continued where it was: its last step was started again.')
  const done = page.locator('.status-line').getByText('Done', { exact: true })
  for (let tries = 0; tries < 5; tries++) {
    await clickPrompt(page, prompt)
    await page.locator('.card.thought[aria-busy="true"] .reasoning').or(done).first().waitFor()
    await page.reload()
    await notice.or(done).first().waitFor()
    if (await notice.isVisible()) return
    await page.getByRole('button', { name: 'New run' }).click()
  }
  throw new Error('No reload came in time.')
}

test('a turn that a reload cut off in the middle of its words is asked for again', async () => {
  const { page, problems } = await openPlayground(context(), { isInHurry: false })

  await reloadInMidTurn(page, 'Convert 26.2 miles to km')
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('42.16')
  await expect.poll(() => page.locator('.card.thought').count()).toBe(2)
  expect(problems).toEqual([])
})

test('a question outlives the page that crashed, and is answered in another one', async () => {
  const { page } = await openPlayground(context())
  await clickPrompt(page, 'Find a train from Paris to Amsterdam and book it')
  await page.getByRole('radio').first().waitFor()
  await untilListed(page, 'needs you')
  const address = page.url()
  const crashed = page.waitForEvent('crash')
  const session = await context().newCDPSession(page)
  // The crashed page cannot respond.
  session.send('Page.crash').catch(() => {})
  await crashed

  const { page: other, problems } = await openPlayground(context())
  expect(await other.getByRole('dialog').count()).toBe(0)
  await other.goto(address)
  await other.getByRole('radio').first().check()
  await other.getByRole('button', { name: 'Reply' }).click()
  await other.getByRole('button', { name: 'Approve' }).click()
  await untilStatus(other, 'Done')

  await expect.poll(() => answerIn(other)).toMatch(/Confirmation: \w{6}/)
  await expect.poll(() => other.getByText('Still waits for your answer: 1 tool call was done already.').count()).toBe(1)
  expect(problems).toEqual([])
})

test('stored runs are opened, deleted, had back, exported and imported, by keyboard alone', async () => {
  const { page, problems } = await openPlayground(context())
  const { keyboard } = page
  const rows = page.locator('.run-row')
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilListed(page, 'done')
  await page.goto(page.url().replace(/#.*/, ''))
  await page.getByText('Calculator · done').waitFor()
  await expect.poll(() => page.locator('.message').count()).toBe(0)

  await rows.getByRole('link').focus()
  await keyboard.press('Enter')
  await untilStatus(page, 'Done')
  expect(page.url()).toContain('#/runs/')
  await rows.getByRole('button').focus()
  await keyboard.press('Enter')
  await rows.getByRole('button', { name: 'Export' }).waitFor()
  await keyboard.press('Tab')
  await untilFocused(page, 'Export')
  const downloading = page.waitForEvent('download')
  await keyboard.press('Enter')
  const file = await text(await (await downloading).createReadStream())
  await keyboard.press('Tab')
  await audit(page)
  await untilFocused(page, 'Delete')
  await keyboard.press('Enter')
  await page.getByText('Deleted “What is 15% of 84.50?”').waitFor()
  await expect.poll(() => rows.count()).toBe(0)
  await untilFocused(page, 'Undo')
  await keyboard.press('Enter')
  await page.getByText('Calculator · done').waitFor()
  await page.goBack()
  await untilStatus(page, 'Done')

  await importFile(page, '{ "format": "other" }')
  await page.getByText('it is not the file of a run').waitFor()
  await importFile(page, file)
  await rows.nth(1).waitFor()
  await untilStatus(page, 'Done')

  await expect.poll(() => answerIn(page)).toContain('12.675')
  expect(problems).toEqual([])
})

test('a damaged run is shown as one, and continues as far as it can be read', async () => {
  const { page, problems } = await openPlayground(context())
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilListed(page, 'done')
  await page.evaluate(damageLog)
  await page.reload()

  await page.getByRole('heading', { name: 'This run is damaged' }).waitFor()
  await untilListed(page, 'damaged')
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as it is' }).click()
  const { damage } = JSON.parse(await text(await (await downloading).createReadStream()))
  await page.getByRole('button', { name: 'Continue with what can be read' }).click()
  await untilStatus(page, 'Done')

  expect(damage.code).toBe('log_invalid')
  await expect.poll(() => answerIn(page)).toContain('12.675')
  expect(problems).toEqual([])
})

test('a key is asked for again, and what a message said can be said differently', async () => {
  const { page } = await openPlayground(context())
  await page.getByRole('button', { name: /^Model/ }).click()
  await page.getByRole('radio', { name: /^Your own key/ }).check()
  await page.getByLabel('Key', { exact: true }).fill('sk-not-a-key')
  await page.getByRole('button', { name: 'Use this model' }).click()
  await clickPrompt(page, 'What is 15% of 84.50?')
  await untilStatus(page, 'Failed')
  await untilListed(page, 'failed')
  const stored = await page.evaluate(allStored)
  await page.reload()
  await page.getByRole('heading', { name: 'The key is needed again' }).waitFor()
  await audit(page)
  await page.getByRole('button', { name: 'Use the demo planner' }).click()
  await untilStatus(page, 'Done')
  await page.getByRole('button', { name: 'Say “What is 15% of 84.50?” differently' }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('What you say instead').fill('What is 20% of 84.50?')
  await page.getByRole('button', { name: 'Fork', exact: true }).click()
  await page.locator('.message-text').getByText('16.9').waitFor()

  expect(stored).toContain('gpt-5')
  expect(stored).not.toContain('sk-not-a-key')
  await expect.poll(() => page.locator('.run-row').count()).toBe(2)
})

test('a run that finds no room can be exported, and continues where there is room again', async () => {
  const page = await context().newPage()
  page.setDefaultTimeout(60_000)
  const session = await context().newCDPSession(page)
  // The browser looks at the quota when the database is opened, so what the run needs without the file is measured elsewhere. The file
  // exceeds the quota many times over, since storage may be compressed or counted in blocks.
  const quotaSize = (await usedUntilAsked()) + 100_000
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize })
  await page.addInitScript(hurry)
  await page.goto(inject('app'))
  const rows = Array.from({ length: 12_000 }, (_, n) => `${randomBytes(150).toString('base64')},${n}`)

  await clickPrompt(page, 'Describe the columns of my file')
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'CSV file' }).click()
  await (await picking).setFiles(csv(['City,Price', ...rows]))
  await page.getByRole('button', { name: 'Reply' }).click()
  await page.getByRole('heading', { name: 'There is no room to keep this run' }).waitFor()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export', exact: true }).click()
  const { events } = JSON.parse(await text(await (await downloading).createReadStream()))
  await page.getByRole('button', { name: 'Delete old runs' }).click()
  await page.getByRole('button', { name: 'Protect from eviction' }).waitFor()
  await audit(page)
  await page.keyboard.press('Escape')
  await session.send('Storage.overrideQuotaForOrigin', { origin })
  await page.getByRole('button', { name: 'Try again' }).click()
  await untilListed(page, 'done')
  await page.reload()
  await page.getByLabel('Message').fill('Show the top 3 rows by price')
  await page.keyboard.press('Enter')
  await page.locator('.message-text').last().getByText('11999').waitFor()

  expect(events.map(({ type }: { type: string }) => type)).toContain('replied')
  await expect.poll(() => page.locator('.question').count()).toBe(1)
})

const origin = new URL(inject('app')).origin

/** Returns how many bytes the browser uses for a run that asks for a file. */
async function usedUntilAsked(): Promise<number> {
  const other = await context().browser()?.newContext()
  if (!other) throw new Error('The context has no browser.')
  try {
    const { page } = await openPlayground(other)
    await clickPrompt(page, 'Describe the columns of my file')
    await untilListed(page, 'needs you')
    const session = await other.newCDPSession(page)
    const { usage } = await session.send('Storage.getUsageAndQuota', { origin })
    return usage
  } finally {
    await other.close()
  }
}

const csv = (lines: readonly string[]) => ({
  name: 'sales.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(lines.join('\n')),
})

/** Waits until the list of runs says this of one. */
const untilListed = (page: Page, word: string): Promise<void> =>
  page.locator('.run-state').getByText(`· ${word}`).first().waitFor()

/** Waits until the element with the focus says this. */
const untilFocused = (page: Page, words: string): Promise<void> =>
  expect.poll(() => page.evaluate(() => document.activeElement?.textContent?.trim())).toBe(words)

/** Waits until so many events are in the journal. */
async function untilWritten(page: Page, events: number): Promise<void> {
  await page.getByRole('tab', { name: 'Log' }).click()
  await page
    .getByRole('listbox', { name: 'Events' })
    .getByRole('option')
    .nth(events - 1)
    .waitFor()
}

async function importFile(page: Page, content: string): Promise<void> {
  const picking = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Import run…' }).click()
  await (await picking).setFiles({ name: 'run.json', mimeType: 'application/json', buffer: Buffer.from(content) })
}

/** Takes the end of the log away, and writes something else there. */
async function damageLog(): Promise<void> {
  const database = await opened('playground')
  const events = database.transaction('events', 'readwrite').objectStore('events')
  const last = await done<IDBCursorWithValue>(events.openCursor(null, 'prev'))
  await done(last.update(JSON.parse(JSON.stringify(last.value).replaceAll('"settled"', '"gone"'))))

  function opened(name: string): Promise<IDBDatabase> {
    return done(indexedDB.open(name))
  }
  function done<T>(request: IDBRequest): Promise<T> {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }
}

/** Everything that this origin keeps, as text. */
async function allStored(): Promise<string> {
  const kept: unknown[] = [{ ...localStorage }]
  for (const { name } of await indexedDB.databases()) {
    const database = await done<IDBDatabase>(indexedDB.open(name ?? ''))
    for (const store of database.objectStoreNames)
      kept.push(await done(database.transaction(store).objectStore(store).getAll()))
    database.close()
  }
  return JSON.stringify(kept)

  function done<T>(request: IDBRequest): Promise<T> {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }
}
