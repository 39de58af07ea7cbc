import { choice, text } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

const cities = [
  'Athens',
  'Bern',
  'Cádiz',
  'Dublin',
  'Évora',
  'Faro',
  'Graz',
  'Helsinki',
  'Ioannina',
  'Jena',
  'Kiel',
  'Lyon',
  'Málaga',
]
const shown = () => [...document.querySelectorAll('[data-interleave="option"]')].map(({ textContent }) => textContent)

it('filters many options, without their accents, and sends nothing by Enter', async () => {
  const { run, user, answers } = await renderAsk(choice({ prompt: 'Which city?', options: cities }))
  const filter = screen.getByRole('searchbox', { name: 'Filter the options' })

  await user.type(filter, 'a{Enter}')
  await user.type(filter, 'ga')

  expect(run.state.asks).toHaveLength(1)
  expect(shown()).toEqual(['Málaga'])
  expect(screen.getAllByRole('status').some(({ textContent }) => textContent === '1 option')).toBe(true)
  expect(await faults()).toEqual([])
  await user.click(screen.getByRole('radio', { name: 'Málaga' }))
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  expect(await answers()).toEqual(['Málaga'])
})

it('says that nothing is chosen where the filter finds nothing, and keeps what is chosen', async () => {
  const { user, answers, run } = await renderAsk(choice({ prompt: 'Which city?', options: cities }))
  const filter = screen.getByRole('searchbox', { name: 'Filter the options' })

  await user.type(filter, 'zzz')
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  expect(screen.getByText('Choose one.')).toBeTruthy()
  expect(run.state.asks).toHaveLength(1)
  await user.clear(filter)
  await user.click(screen.getByRole('radio', { name: 'Bern' }))
  await user.type(filter, 'ga')

  expect(shown()).toEqual(['Bern', 'Málaga'])
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  expect(await answers()).toEqual(['Bern'])
})

it('chooses no option by its number that the filter omits', async () => {
  const { user } = await renderAsk(choice({ prompt: 'Which city?', options: cities }))
  await user.type(screen.getByRole('searchbox', { name: 'Filter the options' }), 'ga')
  screen.getByRole<HTMLInputElement>('radio', { name: 'Málaga' }).focus()

  await user.keyboard('2')

  expect(document.querySelectorAll(':checked')).toHaveLength(0)
})

it('shows few options without a filter', async () => {
  await renderAsk(choice({ prompt: 'Which city?', options: cities.slice(1) }))

  expect(screen.queryByRole('searchbox')).toBe(null)
})

it('shows a question of many lines as text', async () => {
  await renderAsk(text({ prompt: 'Line\n'.repeat(50) }))

  expect(screen.getByRole('heading', { level: 2 }).hasAttribute('data-long')).toBe(true)
})
