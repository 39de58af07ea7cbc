import { expectTypeOf, it } from 'vitest'
import { checkOptions } from './development.ts'
import type * as production from './production.ts'

interface Given {
  name?: string
  size?: number
}

const given: Given = {}

it('takes the names of all options', () => {
  checkOptions('f()', given, ['name', 'size'])
  checkOptions('f()', given, ['name', 'size', 'inherited'])
})

it('reports the name of an option that is missing', () => {
  // @ts-expect-error `size` is missing.
  checkOptions('f()', given, ['name'])
})

it('has no check without an empty one for production', () => {
  expectTypeOf<keyof typeof production>().toEqualTypeOf<keyof typeof import('./development.ts')>()
})
