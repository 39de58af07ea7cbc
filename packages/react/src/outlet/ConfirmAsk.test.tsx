import { confirm } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

it('replies true or false by the button', async () => {
  const { user, answers } = await renderAsk(confirm({ prompt: 'Go?' }), confirm({ prompt: 'Sure?', no: 'Not yet' }))

  await user.click(screen.getByRole('button', { name: 'Yes' }))
  await user.click(await screen.findByRole('button', { name: 'Not yet' }))

  expect(await answers()).toEqual([true, false])
})

it('only focuses a button by its number, so that a stray key decides nothing', async () => {
  const { run, user } = await renderAsk(confirm({ prompt: 'Go?' }))

  await user.keyboard('2')

  expect(document.activeElement?.textContent).toBe('Yes')
  expect(run.state.asks.length).toBe(1)
  expect(await faults()).toEqual([])
})
