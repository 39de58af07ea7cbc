import { expect, it } from 'vitest'
import { boundedExpressions } from './boundedExpressions.ts'
import { dynamicExpressions } from './dynamicExpressions.ts'
import { readProofs, written } from './proofs.ts'
import { expressionsIn, shippedExpressions } from './shippedExpressions.ts'

const { expressions, dynamic } = shippedExpressions()

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

/** Proving takes up to a minute for each expression that is new, so the proofs are kept. */
it('reads foreign text by expressions only that are proved linear or bounded', () => {
  const known = new Set([...readProofs(), ...boundedExpressions.map(({ expression }) => expression)])
  const unproved = expressions.filter((one) => !known.has(written(one)))

  expect(
    unproved.map((one) => `${one.at.join(', ')}: ${written(one)}`),
    'Prove what is new by npm run x -- node test/expressions/prove.ts. What it does not add is not linear.',
  ).toEqual([])
})

it('knows what every expression is made of that is put together at run time', () => {
  expect(dynamic.map((at) => at.replace(/:\d+$/, ''))).toEqual(dynamicExpressions.map(({ file }) => file))
})

it('lists no expression as bounded that is not there', () => {
  const shipped = new Set(expressions.map(written))

  expect(boundedExpressions.filter(({ expression }) => !shipped.has(expression))).toEqual([])
})
