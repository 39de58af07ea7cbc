import { expect, it } from 'vitest'
import { takeAll } from './fillSlots.ts'
import { slotsOf } from './slot.ts'
import { textReader } from './textReader.ts'
import { toolboxOf } from './toolbox.ts'

interface Field {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array'
  readonly format?: string
  readonly description?: string
  readonly enum?: string[]
  readonly items?: { readonly type: 'string' }
}

/** What a text has for the fields of a tool that requires them all. */
function read(text: string, properties: Record<string, Field>): Record<string, unknown> {
  const inputSchema = { type: 'object' as const, properties, required: Object.keys(properties) }
  const { tools } = toolboxOf({ prompt: [], tools: [{ type: 'function', name: 'act', inputSchema }] })
  const [tool] = tools
  if (!tool) throw new Error('No tool.')
  const reader = textReader(text, { tool, now: new Date(2026, 10, 20, 12) })
  return Object.fromEntries(takeAll(slotsOf({ type: 'function', name: 'act', inputSchema }), reader))
}

const string: Field = { type: 'string' }
const day: Field = { type: 'string', format: 'date' }
const unit: Field = { type: 'string', description: 'A unit' }
const cases: readonly [string, Record<string, Field>, Record<string, unknown>][] = [
  [
    'fly from Lisbon to New York',
    { origin: string, destination: string },
    { origin: 'Lisbon', destination: 'New York' },
  ],
  ['fly to Rome from Berlin', { fromCity: string, toCity: string }, { fromCity: 'Berlin', toCity: 'Rome' }],
  ['a room in lisbon', { city: string }, { city: 'lisbon' }],
  ['leave next Friday', { date: day }, { date: '2026-11-27' }],
  ['leave on 2027-01-05', { date: day }, { date: '2027-01-05' }],
  ['from 12 May to 15 May', { checkIn: day, checkOut: day }, { checkIn: '2027-05-12', checkOut: '2027-05-15' }],
  ['2 rooms for 3 guests', { guests: { type: 'integer' }, rooms: { type: 'integer' } }, { guests: 3, rooms: 2 }],
  ['three nights', { nights: { type: 'integer' } }, { nights: 3 }],
  ['half of 2.5', { count: { type: 'integer' } }, {}],
  ['read https://a.example/b?c=1.', { url: string }, { url: 'https://a.example/b?c=1' }],
  ['send it to ann@b.example', { email: string }, { email: 'ann@b.example' }],
  [
    'how many km are 26.2 miles',
    { from: unit, to: { ...unit, description: 'Unit to convert to' } },
    { from: 'miles', to: 'km' },
  ],
  ['100 °F in celsius', { value: { type: 'number' }, from: unit, to: unit }, { value: 100, from: '°F', to: 'celsius' }],
  ['only trains', { means: { ...string, enum: ['train', 'flight'] } }, { means: 'train' }],
  ['without breakfast', { breakfast: { type: 'boolean' } }, { breakfast: false }],
  ['order A-77', { orderId: string }, { orderId: 'A-77' }],
  ['say "good morning"', { message: string }, { message: 'good morning' }],
  ['search for red pandas', { query: string }, { query: 'red pandas' }],
  ['what is a quokka?', { query: string }, { query: 'quokka' }],
  ['visit Rome and Paris', { cities: { type: 'array', items: { type: 'string' } } }, { cities: ['Rome', 'Paris'] }],
]
it.each(cases)('reads %j', (text, properties, values) => {
  expect(read(text, properties)).toEqual(values)
})
