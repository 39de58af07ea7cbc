import { expect, it } from 'vitest'
import { attacksOn } from './attacksOn.ts'
import { boundedExpressions } from './boundedExpressions.ts'
import { problemOf, written } from './proofs.ts'
import { shippedExpressions } from './shippedExpressions.ts'
import { superlinear } from './workOf.ts'

const { expressions } = shippedExpressions()
const bounds = new Map(boundedExpressions.map((one) => [one.expression, one]))

it('tells an expression that is quadratic by its attack', () => {
  expect(problemOf({ source: String.raw`\s+$`, flags: '' })).toMatch(/polynomial, by '\\t'/)
  expect(problemOf({ source: '^a+$', flags: '' })).toBeUndefined()
  expect(
    superlinear(
      (length) => 'eyJ-'.repeat(length / 4),
      (text) => text.match(/\beyJ[\w-]{6,}\./g),
    ),
  ).toMatch(/take/)
})

it.each(expressions.map((one) => [written(one), one] as const))(
  'searches in linear time: %s',
  (name, { source, flags, at }) => {
    const { longest = 100_000 } = bounds.get(name) ?? {}
    // A sticky one begins only where it is told to.
    const everywhere = new RegExp(source, flags.includes('g') ? flags : `${flags}g`)
    const search = (text: string) => text.replace(everywhere, '')

    for (const attack of attacksOn(source, longest)) {
      const slow = superlinear((length) => attack.slice(0, length), search)
      expect(slow && `${at.join(', ')} on ${JSON.stringify(attack.slice(0, 40))}: ${slow}`).toBeUndefined()
    }
  },
)
