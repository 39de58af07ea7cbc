import { AxeBuilder } from '@axe-core/playwright'
import { expect, inject, test } from 'vitest'
import { useContext } from './browser.ts'

const context = useContext()

test('the built playground starts without an error or an accessibility violation', async () => {
  const page = await context().newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })

  await page.goto(inject('app'))
  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()

  expect(errors).toEqual([])
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([])
})

test('the profiling build starts', async () => {
  const page = await context().newPage()

  await page.goto(inject('profile'))

  await page.getByRole('heading', { level: 1, name: 'Interleave' }).waitFor()
})
