import { choice, choices, confirm, form, link, type TypedQuestion, text } from '@interleave/core'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { renderAsk } from '../testing/renderAsk.tsx'

afterEach(cleanup)

const prompt = 'What shall it be?'
const options = ['Red', 'Blue']
const titled: readonly TypedQuestion<unknown>[] = [
  choice({ prompt, options }),
  choices({ prompt, options }),
  confirm({ prompt }),
  link({ prompt, url: 'https://pay.example/' }),
  form({ prompt, schema: z.object({ name: z.string(), age: z.number() }) }),
  form({ prompt, schema: z.object({ name: z.string() }) }),
]

it.each(titled)('has the focus on its title, so that a reader says the question: %j', async (question) => {
  const { run, user } = await renderAsk(question)
  const { activeElement } = document

  await user.keyboard('{Enter} ')

  expect(activeElement).toBe(screen.getByRole('heading', { name: prompt }))
  expect(run.state.asks).toHaveLength(1)
})

it.each([text({ prompt }), text({ prompt, multiline: true })])(
  'has the focus on the field that it names: %j',
  async (question) => {
    await renderAsk(question)

    expect(document.activeElement).toBe(screen.getByRole('textbox'))
  },
)

it.each(['2', '\uff12', '\u0662', '\u06f2'])('chooses by the digit %s of any script', async (digit) => {
  await renderAsk(choice({ prompt, options }))

  fireEvent.keyDown(screen.getByRole('heading', { name: prompt }), { key: digit })

  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Blue' }).checked).toBe(true)
})

it('has the focus on the title of the next question too, where a number chooses', async () => {
  const { user } = await renderAsk(confirm({ prompt: 'Go?' }), choice({ prompt, options }))
  await user.click(screen.getByRole('button', { name: 'Yes' }))
  const title = await screen.findByRole('heading', { name: prompt })
  const { activeElement } = document

  await user.keyboard('2')

  expect(activeElement).toBe(title)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Blue' }).checked).toBe(true)
})
