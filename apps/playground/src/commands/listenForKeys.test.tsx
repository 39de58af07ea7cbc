import { cleanup, render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it } from 'vitest'
import { createPlayground } from '../run/createPlayground.ts'
import { listenForKeys } from './listenForKeys.ts'

afterEach(cleanup)

it.each([
  ['text', 0],
  ['range', 1],
  ['checkbox', 1],
])('takes a letter in a field of the type %s %i times for a shortcut', async (type, times) => {
  let runs = 0
  const command = { id: 'test', group: 'Page', title: 'Count', keys: 'f', run: () => runs++ } as const
  const end = listenForKeys(createPlayground(), [command])
  const { container } = render(<input type={type} aria-label="Field" />)
  container.querySelector('input')?.focus()

  await userEvent.keyboard('f')
  end()

  expect(runs).toBe(times)
})
