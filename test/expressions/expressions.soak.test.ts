import { expect, it } from 'vitest'
import { attacksOn } from './attacksOn.ts'
import { boundedExpressions } from './boundedExpressions.ts'
import { dynamicExpressions } from './dynamicExpressions.ts'
import { problemOf, readProofs, written } from './proofs.ts'
import { expressionsIn, shippedExpressions } from './shippedExpressions.ts'
import { superlinear } from './workOf.ts'

const { expressions, dynamic } = shippedExpressions()
const bounds = new Map(boundedExpressions.map((one) => [one.expression, one]))

it('collects literals and what is put together of constants', () => {
  const text = [
    'const word = String.raw`\\d+`',
    "const all = [/a+/gi, new RegExp('^' + word + '$', 'y'), RegExp(['a', word].join('|'))]",
    'const later = (name: string) => new RegExp(name)',
  ].join('\n')

  expect(expressionsIn('a.ts', text).map(({ source, flags }) => [source, flags])).toEqual([
    ['a+', 'gi'],
    [String.raw`^\d+$`, 'y'],
    [String.raw`a|\d+`, ''],
    [undefined, ''],
  ])
})

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

/** Proving takes up to a minute for each expression that is new: run prove.ts to keep what it finds. */
it('reads foreign text by linear expressions only', () => {
  const proved = readProofs()
  const open = expressions.filter((one) => !proved.has(written(one)) && !bounds.has(written(one)))

  const problems = open.flatMap((one) => {
    const problem = problemOf(one)
    return problem ? [`${one.at.join(', ')}: ${written(one)} is ${problem}`] : []
  })

  expect(problems).toEqual([])
}, 300_000)

it('knows what every expression is made of that is put together at run time', () => {
  expect(dynamic.map((at) => at.replace(/:\d+$/, ''))).toEqual(dynamicExpressions.map(({ file }) => file))
})

it('lists no expression as bounded that is not there', () => {
  const shipped = new Set(expressions.map(written))

  expect(boundedExpressions.filter(({ expression }) => !shipped.has(expression))).toEqual([])
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
