import { expect, it } from 'vitest'
import { acceptedBy } from './acceptedBy.ts'

it('offers no files to rules', () => {
  expect(acceptedBy({ type: 'demo' })).toBeUndefined()
})
