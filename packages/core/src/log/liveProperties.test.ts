import { expect, it } from 'vitest'
import { liveProperties } from './log.ts'

const withCount = liveProperties<{ count: number }, { count: number }>({ count: ({ count }) => count })

it('reads a property anew each time', () => {
  const source = { count: 1 }
  const counter = withCount({ name: 'a' }, source)

  source.count = 2

  expect(counter).toMatchObject({ name: 'a', count: 2 })
})

it('reads each object from its own source', () => {
  const [one, two] = [withCount({}, { count: 1 }), withCount({}, { count: 2 })]

  expect([one.count, two.count]).toEqual([1, 2])
})

it('keeps what it reads when the object is copied', () => {
  const source = { count: 1 }
  const copy = { ...withCount({ name: 'a' }, source) }

  source.count = 2

  expect(copy).toMatchObject({ name: 'a', count: 1 })
})
