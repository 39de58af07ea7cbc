import { form } from '@interleave/core'
import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { faults, renderAsk } from './renderAsk.tsx'

afterEach(cleanup)

const trip = z.object({
  from: z.string().meta({ description: 'A city' }),
  day: z.iso.date(),
  seats: z.int().min(1),
  class: z.enum(['Economy', 'Business']),
  extras: z.array(z.enum(['Bag', 'Meal'])),
  flexible: z.boolean(),
  contact: z.object({ email: z.email(), homePage: z.url().optional() }),
})

it('asks for each kind of value and replies with the whole', async () => {
  const { user, answers } = await renderAsk(form({ prompt: 'Your trip?', schema: trip }))

  await user.type(screen.getByRole('textbox', { name: 'From' }), 'Lisbon')
  fireEvent.change(screen.getByLabelText('Day'), { target: { value: '2026-12-01' } })
  await user.type(screen.getByRole('spinbutton', { name: 'Seats' }), '2')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Class' }), 'Business')
  await user.click(screen.getByRole('checkbox', { name: 'Meal' }))
  await user.click(screen.getByRole('checkbox', { name: 'Flexible' }))
  await user.type(screen.getByRole('textbox', { name: 'Email' }), 'a@b.example')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([
    {
      from: 'Lisbon',
      day: '2026-12-01',
      seats: 2,
      class: 'Business',
      extras: ['Meal'],
      flexible: true,
      contact: { email: 'a@b.example' },
    },
  ])
})

it('gives inputs their types, names and hints, and groups what belongs together', async () => {
  await renderAsk(form({ prompt: 'Your trip?', schema: trip }))

  expect(screen.getByLabelText<HTMLInputElement>('Day').type).toBe('date')
  expect(screen.getByLabelText<HTMLInputElement>('Email').type).toBe('email')
  expect(screen.getByLabelText<HTMLInputElement>('Home page (optional)').type).toBe('url')
  expect(screen.getByRole('textbox', { name: 'From', description: 'A city' })).toBeTruthy()
  expect(screen.getByRole('group', { name: 'Contact' })).toBeTruthy()
  expect(await faults()).toEqual([])
})

it('shows the name and the size of a picked file', async () => {
  const schema = z.object({ data: z.string().meta({ contentMediaType: 'text/csv' }) })
  const { user } = await renderAsk(form({ prompt: 'Your data?', schema }))
  const field = screen.getByLabelText<HTMLInputElement>('Data')

  await user.upload(field, new File(['a,b\n1,2\n'], 'sums\u202e.csv', { type: 'text/csv' }))

  expect(screen.getByText('sums.csv (8 byte)').tagName).toBe('OUTPUT')
  expect(field.accept).toBe('text/csv,.csv')
  expect(await faults()).toEqual([])
})

it('takes JSON for anything else, and says what is wrong with it', async () => {
  const schema = z.object({ scores: z.record(z.string(), z.number()) })
  const { user, answers } = await renderAsk(form({ prompt: 'Scores?', schema }))
  const field = screen.getByRole('textbox', { name: 'Scores' })

  fireEvent.change(field, { target: { value: '{ "a": ' } })
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  const problem = (await screen.findByText('Scores: this is not valid JSON.')).getAttribute('role')
  fireEvent.change(field, { target: { value: '{ "a": 1 }' } })
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(problem).toBe('alert')
  expect(await answers()).toEqual([{ scores: { a: 1 } }])
})

it('shows what the schema says is wrong, and keeps what was typed', async () => {
  const schema = z.object({ name: z.string().refine((name) => name !== 'Eve', 'Not you.') })
  const { user } = await renderAsk(form({ prompt: 'Who?', schema }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })

  await user.type(field, 'Eve{Enter}')

  expect((await screen.findByText('name: Not you.')).getAttribute('role')).toBe('alert')
  expect(field.value).toBe('Eve')
})
