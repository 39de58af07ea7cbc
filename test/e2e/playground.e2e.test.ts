import { gzipSync } from 'node:zlib'
import { AxeBuilder } from '@axe-core/playwright'
import type { Response } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { useContext } from './browser.ts'

const context = useContext()

test('the built playground starts without an error or an accessibility violation, with 231 kB of scripts at most', async () => {
  const page = await context().newPage()
  const errors: string[] = []
  const scripts: Promise<Buffer>[] = []
  const addScript = (response: Response): void => {
    if (response.request().resourceType() === 'script') scripts.push(response.body())
  }
  page.on('response', addScript)
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })

  await page.goto(inject('app'), { waitUntil: 'networkidle' })
  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  // Later responses have no body any more once the page is closed.
  page.off('response', addScript)
  const sizes = (await Promise.all(scripts)).map((script) => gzipSync(script).length)

  expect(errors).toEqual([])
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
  expect(sizes.length).toBeGreaterThan(0)
  expect(sizes.reduce((total, size) => total + size, 0)).toBeLessThan(231_000)
})

test('a page whose script cannot be fetched says so, and can be loaded again', async () => {
  const page = await context().newPage()
  await page.route('**/assets/index-*.js', (route) => route.abort())
  await page.goto(inject('app'))
  await page.getByText('The page is still being fetched.').waitFor()

  await page.unroute('**/assets/index-*.js')
  await page.getByRole('link', { name: 'load it again' }).click()

  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
  expect(await page.getByText('still being fetched').count()).toBe(0)
})

test('the profiling build starts', async () => {
  const page = await context().newPage()

  await page.goto(inject('profile'))

  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
})
