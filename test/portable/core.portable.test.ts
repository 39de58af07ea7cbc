import { expect, it } from 'vitest'
import { coreCases, outcomeOf } from './coreCases.ts'

it.each(Object.entries(coreCases))('%s', async (_, portable) => {
  expect(await outcomeOf(portable)).toEqual(portable.expected)
})
