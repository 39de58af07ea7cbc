import fc from 'fast-check'
import { expect, it } from 'vitest'
import { append, itemAt, lastOf, lengthOf, type Pages, replaceLast } from './state.ts'

const change = fc.oneof(
  fc.record({ type: fc.constant('append' as const), item: fc.nat() }),
  fc.record({ type: fc.constant('replace' as const), item: fc.nat() }),
)
const toPages = (items: readonly number[]): Pages<number> => items.reduce<Pages<number>>(append, [])
const list = fc.array(fc.nat(), { maxLength: 300, size: 'max' })

it('behaves as a plain array does', () => {
  fc.assert(
    fc.property(list, fc.array(change, { maxLength: 200, size: 'max' }), (items, changes) => {
      let pages: Pages<number> = toPages(items)
      let plain = items
      for (const { type, item } of changes) {
        pages = type === 'append' ? append(pages, item) : replaceLast(pages, item)
        plain = type === 'append' ? [...plain, item] : [...plain.slice(0, -1), item]
      }

      expect(pages.flat()).toEqual(plain)
      expect(lengthOf(pages)).toBe(plain.length)
      expect(lastOf(pages)).toBe(plain.at(-1))
      expect(plain.map((_, index) => itemAt(pages, index))).toEqual(plain)
      expect(itemAt(pages, plain.length)).toBeUndefined()
    }),
    { numRuns: 30 },
  )
})

it('never changes a list, and shares its full pages', () => {
  const before = toPages(Array.from({ length: 100 }, (_, index) => index))
  const copy = structuredClone(before)

  const after = replaceLast(append(before, 100), 101)

  expect(before).toEqual(copy)
  expect(after[0]).toBe(before[0])
})
