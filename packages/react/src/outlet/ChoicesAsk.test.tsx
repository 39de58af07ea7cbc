import { choices } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

const extras = choices({ prompt: 'Which extras?', options: ['Bag', 'Seat', 'Meal'], min: 1, max: 2 })

it('replies with the boxes that are ticked', async () => {
  const { user, answers } = await renderAsk(extras)

  await user.click(screen.getByRole('checkbox', { name: 'Bag' }))
  await user.keyboard('3')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([['Bag', 'Meal']])
})

it('says how many to choose, and what is wrong with too many', async () => {
  const { user } = await renderAsk(extras)

  await user.keyboard('123{Enter}')

  expect(screen.getByRole('group', { name: 'Choose 1 to 2' })).toBeTruthy()
  expect((await screen.findByRole('alert')).textContent).toBe('Choose at most 2.')
  expect(screen.getAllByRole('checkbox', { checked: true }).length).toBe(3)
  expect(await faults()).toEqual([])
})

it.each([
  [{}, 'Choose any'],
  [{ min: 2 }, 'Choose at least 2'],
  [{ max: 2 }, 'Choose up to 2'],
  [{ min: 2, max: 2 }, 'Choose 2'],
])('says %o as "%s"', async (bounds, legend) => {
  await renderAsk(choices({ prompt: 'Which?', options: ['a', 'b', 'c'], ...bounds }))

  expect(screen.getByRole('group', { name: legend })).toBeTruthy()
})
