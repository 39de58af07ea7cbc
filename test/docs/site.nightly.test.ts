import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { addressesOf, brokenLinks, buildSite, openSite, repository, type Site, violationsOn } from './openSite.ts'

let folder: string
let site: Site

beforeAll(async () => {
  folder = await buildSite()
  site = await openSite(folder)
}, 600_000)

afterAll(() => site?.close())

it('has no broken link and no broken anchor, and links to sources lead to the repository', () => {
  expect(addressesOf(folder)).toEqual(
    expect.arrayContaining(['/', '/journals', '/reference/core', '/tutorial/8-graphs']),
  )
  expect(brokenLinks(folder)).toEqual([])
  expect(readFileSync(path.join(folder, 'requirements.html'), 'utf8')).toContain(
    `href="${repository}/blob/main/packages/core/src/`,
  )
})

/** Together these have every kind of content: examples, tables, diagrams, pictures of code, a page of the reference. */
const kinds = ['/', '/examples', '/react', '/edge', '/reference/core-journal']

it.each(kinds)('axe finds nothing on %s, light or dark, and it loads less than 150 kB', async (address) => {
  const { page, problems, loaded } = await site.open(address)
  const bytes = await loaded()

  expect(await violationsOn(page)).toEqual([])
  expect(problems).toEqual([])
  // Includes prefetched files.
  expect(bytes).toBeLessThan(150_000)
  expect(bytes).toBeGreaterThan(50_000)
})

it('finds a page without a network', async () => {
  const { page, problems } = await site.open('/')
  await page.keyboard.press('Control+k')
  await page.getByRole('searchbox').fill('fencing token')
  await page.getByRole('option').filter({ hasText: 'Glossary' }).first().click()

  await page.waitForURL(/glossary/)
  expect(problems).toEqual([])
})

it('books a table on the first page', async () => {
  const { page, problems } = await site.open('/')
  const example = page.getByRole('region', { name: /A table for four/ })
  await example.getByRole('button', { name: 'Run it' }).click()
  await page.getByRole('dialog').getByText('20:30').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reply' }).click()

  await example.getByText('Booked for 4 at 20:30.').waitFor()
  expect(problems).toEqual([])
})

it('pays another amount than the one that the model chose', async () => {
  const { page, problems } = await site.open('/examples')
  const example = page.getByRole('region', { name: 'A large invoice' })
  await example.getByRole('button', { name: 'Run it' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByLabel('euros').fill('90')
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()

  await example.getByText('Paid €90 for invoice 2026-118.').waitFor()
  expect(problems).toEqual([])
})

it('continues with the same order after a reload', async () => {
  const { page, problems } = await site.open('/examples')
  const example = page.getByRole('region', { name: 'Two coffees' })
  const dialog = page.getByRole('dialog')
  await example.getByRole('button', { name: 'Run it' }).click()
  await dialog.getByText('large').click()
  const [order = ''] = /Order \d+/.exec((await dialog.textContent()) ?? '') ?? []
  await dialog.getByRole('button', { name: 'Reply' }).click()
  await dialog.getByText(`${order}, large: to go?`).waitFor()

  await page.reload()
  await dialog.getByText(`${order}, large: to go?`).waitFor()
  await dialog.getByRole('button', { name: 'Yes' }).click()

  await example.getByText(`${order}: 2 large coffees to go.`).waitFor()
  expect(problems).toEqual([])
})

it('has the guide as text for coding agents', () => {
  const list = readFileSync(path.join(folder, 'llms.txt'), 'utf8')
  const addresses = [...list.matchAll(/\]\((\/[^)]+)\)/g)].map(([, address = '']) => address)

  expect(addresses).toEqual(expect.arrayContaining(['/getting-started.md', '/tools.md', '/coming-from.md']))
  expect(addresses.filter((address) => !existsSync(path.join(folder, address)))).toEqual([])
  expect(readFileSync(path.join(folder, 'llms-full.txt'), 'utf8')).toContain('# Approvals')
})

it('draws diagrams as pictures', async () => {
  const { page } = await site.open('/edge')

  expect(await page.getByRole('img', { name: /page to front: requests, events/ }).count()).toBe(1)
  expect(await page.getByText('flowchart').count()).toBe(0)
})
