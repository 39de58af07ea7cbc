import { choice } from '@interleave/core'
import { cleanup, screen } from '@testing-library/react'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { renderAsk } from '../testing/renderAsk.tsx'

// jsdom has the element without these methods.
const { prototype } = HTMLDialogElement
const methods = (['show', 'showModal', 'close'] as const).map((name) => [name, prototype[name]] as const)
beforeAll(() => {
  for (const [name] of methods) Reflect.set(prototype, name, undefined)
})
afterAll(() => {
  for (const [name, method] of methods) Reflect.set(prototype, name, method)
})
afterEach(cleanup)

it('asks, closes and is removed in a document whose dialogs have no methods', async () => {
  const { user, answers, run } = await renderAsk(choice({ prompt: 'Which colour?', options: ['Red', 'Blue'] }))

  await user.click(screen.getByRole('radio', { name: 'Blue' }))
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual(['Blue'])
  expect(screen.queryByRole('dialog')).toBe(null)
  expect(run.state.asks).toEqual([])
})

it('is removed while it is open', async () => {
  await renderAsk(choice({ prompt: 'Which colour?', options: ['Red', 'Blue'] }))

  expect(screen.getByRole('dialog')).toBeTruthy()
  expect(cleanup).not.toThrow()
})
