import { expectTypeOf, it } from 'vitest'
import type { KnownOptions } from './options.ts'

interface Given {
  name?: string
  size?: number
  when?: 'now' | 'later'
  say: string | (() => string)
  all: readonly string[]
  store?: object | (() => object)
}

it('finds an option whose kind is not said, or only in part', () => {
  expectTypeOf<KnownOptions<Given>['name']>().toEqualTypeOf<'a string' | `a string, such as ${string}`>()
  expectTypeOf<true>().not.toExtend<KnownOptions<Given>['size']>()
  expectTypeOf<'"now" or "later"'>().toExtend<KnownOptions<Given>['when']>()
  expectTypeOf<'a string'>().not.toExtend<KnownOptions<Given>['say']>()
  expectTypeOf<'a string or a function' | 'a function or a string'>().toExtend<KnownOptions<Given>['say']>()
  expectTypeOf<'a list'>().toExtend<KnownOptions<Given>['all']>()
})

it('leaves what may be an object to its owner', () => {
  expectTypeOf<true | 'an object or a function'>().toExtend<KnownOptions<Given>['store']>()
})
