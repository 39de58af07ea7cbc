import { choice } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

const flight = choice({
  prompt: 'Which flight?',
  options: [{ value: 'TP1', label: 'Morning', description: 'Leaves at 8' }, 'TP2'],
})

it('replies with the radio that is chosen', async () => {
  const { user, answers } = await renderAsk(flight)

  await user.click(screen.getByRole('radio', { name: /Morning/ }))
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual(['TP1'])
})

it('takes number keys and Enter', async () => {
  const { user, answers } = await renderAsk(flight)

  await user.keyboard('2{Enter}')

  expect(await answers()).toEqual(['TP2'])
})

it('names and describes the dialog, the group and its options', async () => {
  await renderAsk(flight)

  expect(
    screen.getByRole('dialog', { name: 'Which flight?', description: /^Asked by asker ?, using ask$/ }),
  ).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Choose one' })).toBeTruthy()
  expect(screen.getByRole('radio', { description: 'Leaves at 8' })).toBeTruthy()
  expect(await faults()).toEqual([])
})

it('row 16: shows characters that hide or turn text around', async () => {
  await renderAsk(choice({ prompt: 'Pay \u202eyna\u200b?', options: [{ value: 'a\u200b', label: 'Yes\u2066!' }] }))

  expect(screen.getByRole('dialog', { name: 'Pay U+202E yna U+200B ?' })).toBeTruthy()
  expect(screen.getByRole('radio', { name: 'Yes U+2066 !' })).toBeTruthy()
})

it('row 16: cuts a label of ten thousand characters, until the user expands it', async () => {
  const { user } = await renderAsk(choice({ prompt: 'Pay?', options: [{ value: 'a', label: 'Yes '.repeat(2_500) }] }))
  const label = () => document.querySelector('[data-interleave="option"]')?.textContent ?? ''

  expect(label()).toMatch(/^(Yes )+… Show all \(10,000 characters\)$/)
  expect(label().length).toBeLessThan(300)
  await user.click(document.querySelector('[data-interleave="more"]') ?? document.body)
  expect(label().length).toBe(10_000)
})
