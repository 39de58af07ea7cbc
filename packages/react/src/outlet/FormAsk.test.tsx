import { form, type Schema } from '@interleave/core'
import { cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { faults, renderAsk } from '../testing/renderAsk.tsx'

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

it('keeps a key with a slash apart from a group, and options of the same label apart', async () => {
  const logged = vi.spyOn(console, 'error')
  onTestFinished(() => logged.mockRestore())
  const place = z.union([z.literal(1).meta({ title: 'Here' }), z.literal(2).meta({ title: 'Here' })])
  const schema = z.object({ 'home/name': z.string(), home: z.object({ name: z.string() }), place })
  const { user, answers } = await renderAsk(form({ prompt: 'Who?', schema }))

  await user.type(screen.getByRole('textbox', { name: 'Home/name' }), 'Ada')
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Villa')
  await user.selectOptions(screen.getByRole('combobox'), '1')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([{ 'home/name': 'Ada', home: { name: 'Villa' }, place: 2 }])
  expect(logged).not.toHaveBeenCalled()
})

it('takes an optional group that is left empty', async () => {
  const contact = z.object({ email: z.email(), news: z.boolean() }).optional()
  const { user, answers } = await renderAsk(form({ prompt: 'Whom?', schema: z.object({ contact }) }))

  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([{}])
})

it('lets a user answer yes, no or null to what may be null', async () => {
  const schema = z.object({ old: z.boolean().nullable(), used: z.boolean().nullable(), sold: z.boolean().nullable() })
  const { user, answers } = await renderAsk(form({ prompt: 'How is it?', schema }))

  await user.selectOptions(screen.getByRole('combobox', { name: 'Old (optional)' }), 'true')
  await user.selectOptions(screen.getByRole('combobox', { name: 'Used (optional)' }), 'false')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([{ old: true, used: false, sold: null }])
})

it('begins with the defaults of lists and groups', async () => {
  const schema = z.object({
    tags: z.array(z.string()).default(['a', 'b']),
    stops: z.array(z.object({ city: z.string() })).default([{ city: 'Rome' }]),
    home: z.object({ city: z.string() }).default({ city: 'Oslo' }),
    meals: z.array(z.enum(['Noon', 'Night'])).default(['Night', 'Noon']),
    note: z.string().nullable().default(null),
  })
  const { user, answers } = await renderAsk(form({ prompt: 'Your trip?', schema }))

  await user.click(screen.getByRole('button', { name: 'Reply' }))

  const [answer] = await answers()
  expect(answer).toMatchObject({ tags: ['a', 'b'], stops: [{ city: 'Rome' }], home: { city: 'Oslo' }, note: null })
  expect(answer).toHaveProperty('meals', ['Noon', 'Night'])
})

it('shows the name and the size of a picked file', async () => {
  const schema = z.object({ data: z.string().meta({ contentMediaType: 'text/csv' }) })
  const { user } = await renderAsk(form({ prompt: 'Your data?', schema }))
  const field = screen.getByLabelText<HTMLInputElement>('Data')

  await user.upload(field, new File(['a,b\n1,2\n'], 'sums\u202e.csv', { type: 'text/csv' }))

  expect(document.querySelector('output')?.textContent).toBe('sumsU+202E.csv (8 bytes)')
  expect(field.accept).toBe('text/csv,.csv')
  expect(await faults()).toEqual([])
})

it('takes JSON for anything else, and says what is wrong with it', async () => {
  const schema = z.object({ scores: z.record(z.string(), z.number()) })
  const { user, answers } = await renderAsk(form({ prompt: 'Scores?', schema }))
  const field = screen.getByRole('textbox', { name: 'Scores' })

  fireEvent.change(field, { target: { value: '{ "a": ' } })
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  const problem = (await screen.findByRole('alert')).textContent
  fireEvent.change(field, { target: { value: '{ "a": 1 }' } })
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(problem).toBe('Scores: must be valid JSON.')
  expect(await answers()).toEqual([{ scores: { a: 1 } }])
})

it('shows the errors of the schema, and does not lose what was typed', async () => {
  const schema = z.object({ name: z.string().refine((name) => name !== 'Eve', 'Not you.') })
  const { user } = await renderAsk(form({ prompt: 'Who?', schema }))
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Name' })

  await user.type(field, 'Eve{Enter}')

  await screen.findByText('Not you.')
  expect(screen.getByRole('alert').textContent).toBe('name: Not you.')
  expect([field.value, field.getAttribute('aria-invalid'), document.activeElement]).toEqual(['Eve', 'true', field])
  expect(screen.getByRole('textbox', { description: 'Not you.' })).toBe(field)
})

it('takes as many items of a list as there are, each with its own fields and problems', async () => {
  const stop = z.object({ city: z.string().refine((city) => city !== 'Nowhere', 'No such city.'), nights: z.int() })
  const { user, answers } = await renderAsk(form({ prompt: 'Route?', schema: z.object({ stops: z.array(stop) }) }))
  const add = screen.getByRole('button', { name: 'Add an item' })
  const fill = async (index: number, city: string) => {
    const item = within(screen.getByRole('group', { name: `Stops ${index}` }))
    await user.clear(item.getByLabelText('City'))
    await user.type(item.getByLabelText('City'), city)
    await user.type(item.getByLabelText('Nights'), '1')
  }

  for (const [index, city] of ['Rome', 'Nowhere', 'Oslo'].entries()) {
    await user.click(add)
    await fill(index + 1, city)
  }
  await user.click(screen.getByRole('button', { name: 'Remove Stops 1' }))
  await user.click(screen.getByRole('button', { name: 'Reply' }))
  await screen.findByText('No such city.')
  const found = await faults()
  await fill(1, 'Bern')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(found).toEqual([])
  expect(await answers()).toEqual([
    {
      stops: [
        { city: 'Bern', nights: 11 },
        { city: 'Oslo', nights: 1 },
      ],
    },
  ])
})

it('reads references, parts of a whole, named options, and what may be null', async () => {
  // The shape of the AI SDK's `jsonSchema()`.
  const jsonSchema = {
    $defs: { place: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } } },
    allOf: [{ type: 'object', required: ['to'], properties: { to: { $ref: '#/$defs/place' } } }],
    properties: {
      mode: {
        oneOf: [
          { const: 't', title: 'Train' },
          { const: 'f', title: 'Flight' },
        ],
      },
      note: { type: ['string', 'null'] },
    },
    required: ['mode', 'note'],
  }
  const schema = { jsonSchema } as unknown as Schema
  const { user, answers } = await renderAsk(form({ prompt: 'Where?', schema }))

  await user.type(within(screen.getByRole('group', { name: 'To' })).getByLabelText('City'), 'Rome')
  await user.selectOptions(screen.getByLabelText('Mode'), 'Flight')
  await user.click(screen.getByRole('button', { name: 'Reply' }))

  expect(await answers()).toEqual([{ to: { city: 'Rome' }, mode: 'f', note: null }])
})
