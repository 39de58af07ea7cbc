import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Event } from '../../event.ts'
import { toPage } from './runs.ts'
import { putBack, takeOut } from './stores.ts'

const long = 'x'.repeat(70_000)
const text = fc.oneof(fc.string(), fc.constant(long), fc.constant('é'.repeat(70_000)))
const { value: tree } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string(), fc.constant('__proto__')), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}))

it('gives back what it took out, whatever it was in', () => {
  fc.assert(
    fc.property(tree, (value) => {
      const whole = { type: 'noted', value }
      const { rest, large } = takeOut(whole)
      const copy = structuredClone(rest)
      for (const { path, value: part } of large) putBack(copy, path, part)

      expect(JSON.stringify(copy)).toBe(JSON.stringify(whole))
      expect(large.length > 0).toBe(
        JSON.stringify(value).includes(long) || JSON.stringify(value).includes('é'.repeat(70_000)),
      )
    }),
    { numRuns: 200 },
  )
})

it('takes out the text, and not what contains it', () => {
  const { rest, large } = takeOut({ value: { title: 'A', pages: [{ text: long }, { text: 'short' }] } })

  expect(large).toMatchObject([{ path: ['value', 'pages', 0, 'text'], value: long }])
  expect(rest).toEqual({ value: { title: 'A', pages: [{ text: null }, { text: 'short' }] } })
})

it('takes out as a whole what is large without a large member', () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => ({ row, cell: `cell ${row}` }))

  expect(takeOut({ value: { rows } }).large).toMatchObject([{ path: ['value', 'rows'], value: rows }])
})

it('leaves alone what is small', () => {
  const whole = { value: ['small'] }

  expect(takeOut(whole)).toEqual({ rest: whole, large: [] })
  expect(takeOut(whole).rest).toBe(whole)
})

it('writes an imported run again as one page, however many events it has', () => {
  const event = (seq: number): Event => ({ type: 'noted', seq, at: 1, iteration: 0, key: 'k', value: 1 })
  const imported = Array.from({ length: 500_000 }, (_, seq) => event(seq))

  expect(toPage([{ events: imported }, { events: [event(500_000)] }]).events).toHaveLength(500_001)
})

it('reads a large value once, however deep it is', () => {
  let reads = 0
  let value: object = { text: long }
  for (let depth = 0; depth < 60; depth++) {
    const member = value
    value = Object.defineProperty({}, 'a', {
      enumerable: true,
      get() {
        reads++
        return member
      },
    })
  }

  expect(takeOut({ value }).large).toHaveLength(1)
  expect(reads).toBeLessThan(60 * 5)
})
