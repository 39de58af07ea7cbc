import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { MemoryItem } from './remember.ts'
import { searchMemory } from './searchMemory.ts'

const item = (id: string, text: string, namespace = 'ada'): MemoryItem => ({ id, text, namespace, at: 0 })
const options = { namespace: 'ada', limit: 3, abortSignal: new AbortController().signal }
const birds = [
  item('1', 'The parrot of Ada is called Coco.'),
  item('2', 'Ada lives in Zürich.'),
  item('3', 'コーヒーが好きです。'),
  item('4', 'The parrot of Bob is called Kiki.', 'bob'),
]
const idsOf = (query: string, memory = searchMemory({ items: birds })) =>
  (memory.search(query, options) as readonly MemoryItem[]).map(({ id }) => id)

it.each([
  ['words', 'parrot', '1'],
  ['beginnings', 'parrots', '1'],
  ['near misses', 'parot', '1'],
  ['letters without their marks', 'zurich', '2'],
  ['words without spaces between them', '好きなコーヒー', '3'],
])('finds %s', (_, query, id) => {
  expect(idsOf(query)[0]).toBe(id)
})

it.each([
  ['Strasse', 'Die Straße ist gesperrt.'],
  ['ışık', 'IŞIK açık kaldı.'],
  ['İstanbul', 'istanbul güzel'],
  ['елка', 'Стоит Ёлка.'],
])('finds %j in %j', (query, text) => {
  expect(idsOf(query, searchMemory({ items: [item('1', text)] }))).toEqual(['1'])
})

it('finds nothing of another namespace, and nothing for no words', () => {
  expect(idsOf('Kiki')).toEqual([])
  expect(idsOf('?')).toEqual([])
})

it('takes what is added under the same id for the same', () => {
  const memory = searchMemory({ items: birds })
  memory.add([item('1', 'The parrot is called Lola.')], options)

  expect(idsOf('Coco', memory)).toEqual([])
  expect(idsOf('Lola', memory)).toEqual(['1'])
  expect(memory.items).toHaveLength(4)
})

it('gives up the oldest where it holds too much', () => {
  const memory = searchMemory({ maxItems: 2 })
  memory.add([item('1', 'one'), item('2', 'two'), item('3', 'three')], options)

  expect(memory.items.map(({ id }) => id)).toEqual(['2', '3'])
  expect(idsOf('one', memory)).toEqual([])
})

it('is the same again from its items as JSON', () => {
  const text = fc.array(fc.constantFrom('parrot', 'Ada', 'Zürich', 'Coco', 'lives', '好き'), { minLength: 1 })
  fc.assert(
    fc.property(fc.array(text), text, (texts, query) => {
      const memory = searchMemory({ items: texts.map((words, n) => item(`${n}`, words.join(' '))), maxItems: 5 })
      const again = searchMemory({ items: JSON.parse(JSON.stringify(memory.items)) })

      expect(again.items).toEqual(memory.items)
      expect(idsOf(query.join(' '), again)).toEqual(idsOf(query.join(' '), memory))
    }),
  )
})
