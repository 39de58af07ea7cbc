import { text } from '@interleave/core'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

it('replies with a line of text, digits included', async () => {
  const { user, answers } = await renderAsk(text({ prompt: 'Your name?', placeholder: 'First and last' }))

  await user.type(screen.getByRole('textbox', { name: 'Your name?' }), 'Ada 1{Enter}')

  expect(await answers()).toEqual(['Ada 1'])
})

it('replies with several lines on Ctrl and Enter', async () => {
  const { user, answers } = await renderAsk(text({ prompt: 'Your story?', multiline: true }))

  await user.type(screen.getByRole('textbox'), 'One{Enter}two{Control>}{Enter}{/Control}')

  expect(await answers()).toEqual(['One\ntwo'])
})

it('shows the error and does not lose what was typed', async () => {
  const { run } = await renderAsk(text({ prompt: 'Code?', minLength: 4 }))
  const field = screen.getByRole<HTMLInputElement>('textbox')
  field.removeAttribute('minlength')

  fireEvent.change(field, { target: { value: 'abc' } })
  fireEvent.submit(field)

  await screen.findByText('Write at least 4 characters.')
  expect(screen.getByRole('alert').textContent).toBe('Write at least 4 characters.')
  expect([field.value, run.state.asks.length]).toEqual(['abc', 1])
  expect(await faults()).toEqual([])
})
