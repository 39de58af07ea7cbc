import { expect, it, vi } from 'vitest'
import { memoryBank } from '../bank/memoryBank.ts'
import { cityNamed } from '../data/cities.ts'
import { bookWith } from './book.ts'
import { callOnce } from './callOnce.ts'
import { searchConnections } from './searchConnections.ts'
import { searchHotels } from './searchHotels.ts'

const bank = memoryBank()
const tools = { searchConnections, searchHotels, book: bookWith(bank) }

it('finds the trains between two cities, cheapest first', async () => {
  const { output } = await callOnce({
    tools,
    name: 'searchConnections',
    input: { from: 'Paris', to: 'amsterdam', means: 'train' },
  })

  const prices = (output as { means: string; price: number }[]).map(({ means, price }) =>
    means === 'train' ? price : -1,
  )
  expect(prices).toHaveLength(3)
  expect(prices).toEqual(prices.toSorted((a, b) => a - b))
  expect(Math.min(...prices)).toBeGreaterThan(0)
})

it('finds no train where the way is too long', async () => {
  const { output } = await callOnce({
    tools,
    name: 'searchConnections',
    input: { from: 'Lisbon', to: 'Vienna', means: 'train' },
  })

  expect(output).toEqual([])
})

it('asks for a city that it knows in place of another', async () => {
  const input = { city: 'Atlantis', minStars: 5 }
  const { output, asked } = await callOnce({ tools, name: 'searchHotels', input, replies: [{ city: 'Rome' }] })

  expect(asked).toMatchObject([{ kind: 'form', prompt: '“Atlantis” is not on this map. Which city instead?' }])
  expect(output).toEqual([expect.objectContaining({ city: 'Rome', stars: 5 })])
})

it('asks once for two cities that it does not know', async () => {
  const input = { from: 'two', to: 'New York', means: 'train' }
  const replies = [{ from: 'Paris', to: 'Amsterdam' }]
  const { output, asked } = await callOnce({ tools, name: 'searchConnections', input, replies })

  expect(asked).toMatchObject([{ prompt: '“two” and “New York” are not on this map. Which city instead?' }])
  expect(output).toHaveLength(3)
})

it.each([
  ['Amsterdm', 'Amsterdam'],
  ['lisboa', 'Lisbon'],
  ['Wien', 'Vienna'],
  ['KOBENHAVN', 'Copenhagen'],
  ['ber', 'Berlin'],
  ['Bergen', undefined],
  ['two', undefined],
])('takes %j for %j', (name, city) => {
  expect(cityNamed(name)?.name).toBe(city)
})

it('finds hotels by stars and price', async () => {
  const { output } = await callOnce({
    tools,
    name: 'searchHotels',
    input: { city: 'Rome', minStars: 3, maxPrice: 200 },
  })

  expect(output).toEqual([expect.objectContaining({ stars: 3 }), expect.objectContaining({ stars: 4 })])
})

it('books and pays what the user approves', async () => {
  const input = { id: 'HOTEL-LIS-GARDEN' }
  const pay = vi.spyOn(bank, 'pay')
  const { output, asked } = await callOnce({ tools, name: 'book', input, replies: [{ approved: true }] })

  expect(asked).toEqual([expect.objectContaining({ kind: 'approval', tool: 'book' })])
  expect(output).toMatchObject({
    booked: 'HOTEL-LIS-GARDEN',
    currency: 'EUR',
    confirmation: expect.stringMatching(/^\w{6}$/),
  })
  expect(pay).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ what: 'HOTEL-LIS-GARDEN' }), expect.anything())
})

it('does not book what the user refuses', async () => {
  const replies = [{ approved: false, reason: 'Too dear.' }]
  const { error } = await callOnce({ tools, name: 'book', input: { id: 'HOTEL-LIS-GARDEN' }, replies })

  expect(error?.code).toBe('tool_refused')
})
