import { expect, it } from 'vitest'
import { wilson } from './evaluation.ts'

it('bounds a rate, also one of 1', () => {
  const [low, high] = wilson(100, 100)
  expect([low, high]).toEqual([expect.closeTo(0.963, 3), 1])
  expect(wilson(50, 100)).toEqual([expect.closeTo(0.404, 3), expect.closeTo(0.596, 3)])
})
