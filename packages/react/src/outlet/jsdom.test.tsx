import { choice, choices } from '@interleave/core'
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { FilePicker } from '../files/FilePicker.tsx'
import { useFiles } from '../files/useFiles.ts'
import { renderAsk } from '../testing/renderAsk.tsx'

// jsdom has these objects without the methods.
const lacking: readonly (readonly [object, string])[] = [
  ...['show', 'showModal', 'close'].map((name) => [HTMLDialogElement.prototype, name] as const),
  [Element.prototype, 'scrollIntoView'],
  [URL, 'createObjectURL'],
  [URL, 'revokeObjectURL'],
]
const methods = lacking.map(([owner, name]) => [owner, name, Reflect.get(owner, name)] as const)
beforeAll(() => {
  for (const [owner, name] of methods) Reflect.set(owner, name, undefined)
})
afterAll(() => {
  for (const [owner, name, method] of methods) Reflect.set(owner, name, method)
})
afterEach(cleanup)

it('asks, closes and is removed in a document whose dialogs have no methods', async () => {
  const { user, answers, run } = await renderAsk(choice({ prompt: 'Which color?', options: ['Red', 'Blue'] }))

  await user.click(screen.getByRole('radio', { name: 'Blue' }))
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual(['Blue'])
  expect(screen.queryByRole('dialog')).toBe(null)
  expect(run.state.asks).toEqual([])
})

it('is removed while it is open', async () => {
  await renderAsk(choice({ prompt: 'Which color?', options: ['Red', 'Blue'] }))

  expect(screen.getByRole('dialog')).toBeTruthy()
  expect(cleanup).not.toThrow()
})

it('says why a reply is rejected', async () => {
  const { user } = await renderAsk(choices({ prompt: 'Which?', options: ['Red', 'Blue'], min: 1 }))

  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(screen.getByText('Choose at least 1.')).toBeTruthy()
})

it('lists a picture that is attached', async () => {
  // What an effect throws removes the page, and React says it.
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const Picker = () => <FilePicker files={useFiles()} />
  render(<Picker />)
  const photo = new File(['photo'], 'photo.png', { type: 'image/png' })

  fireEvent.change(screen.getByLabelText('Attach files', { selector: 'input' }), { target: { files: [photo] } })

  expect(await screen.findByRole('button', { name: 'Remove photo.png' })).toBeTruthy()
  await act(async () => undefined)
  expect(errors.mock.calls).toEqual([])
  errors.mockRestore()
})
