import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { pages } from './blocksOf.ts'
import { claimsOf } from './claimsOf.ts'
import { root } from './codeBlocks.ts'
import { type Claims, constant, noClaim, problemsOf, test } from './proofs.ts'

const read = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** Pages that measuring makes, and those that other tests check as a whole. */
const others = /^docs\/(?:(?:benchmarks|proof|requirements)\.md|decisions\/)/
const guide = pages.filter((page) => !others.test(page))
const codes = [...(/ErrorCode =([^/]*)/.exec(read('packages/core/src/error.ts'))?.[1] ?? '').matchAll(/'(\w+)'/g)].map(
  ([, code = '']) => code,
)

const files = import.meta.glob<{ claims: Claims }>('./claims/**/*.ts', { eager: true })
const fileOf = (page: string): string => `./claims/${page.replace(/^docs\//, '').replace(/(?:\/README)?\.md$/, '.ts')}`
const proofsOf = (page: string): Claims => files[fileOf(page)]?.claims ?? {}

/** Pages whose claims have no proof yet. Delete a name when its file is there; add none. */
const waiting: readonly string[] = []

it('has a list of proofs for pages of the guide alone', () => {
  expect(Object.keys(files).filter((file) => !guide.map(fileOf).includes(file))).toEqual([])
  expect(waiting.filter((page) => files[fileOf(page)])).toEqual([])
})

it.each(guide.filter((page) => !waiting.includes(page)))('%s claims nothing without a proof', (page) => {
  const [claims, proofs] = [claimsOf(read(page), codes), proofsOf(page)]
  const list = `test/docs/claims${fileOf(page).slice('./claims'.length)}`
  const problems = [
    ...claims
      .filter((claim) => !Object.hasOwn(proofs, claim))
      .map(
        (claim) =>
          `${list} needs a proof of "${claim}": a constant() of the sources, or a test(), which you write if there is none.`,
      ),
    ...Object.keys(proofs)
      .filter((claim) => !claims.includes(claim))
      .map(
        (claim) =>
          `${page} does not say "${claim}" any more: check whether the proof fits the new sentence, and change or delete the entry of ${list}.`,
      ),
    ...Object.entries(proofs).flatMap(([claim, given]) =>
      problemsOf(claim, given).map((problem) => `${list}, "${claim}": ${problem}`),
    ),
  ]

  expect(problems).toEqual([])
})

it('takes few sentences for no claims', () => {
  const most = 3
  const tooMany = guide.filter((page) => Object.values(proofsOf(page)).filter(isNoClaim).length > most)

  expect(tooMany).toEqual([])
})

const isNoClaim = (proofs: Claims[string]): boolean => proofs.some((proof) => 'text' in proof)

it('finds the claims of a page, in sentences, items and rows', () => {
  const page = `# Only a heading

A call takes at most
5 seconds. It is fast. Never ask [twice](x.md#y). Use \`a.b. Only c\` instead.

- By default it waits
  ten seconds.

| option | |
| --- | --- |
| \`ms\` | 500, since \`too_deep\` |

\`\`\`ts
const x = 5 // always
\`\`\`

It fails with \`too_deep\`. It needs Node 22, and version 1.2.3. Proved 5 times by \`a.test.ts\`.
`

  expect(claimsOf(page, ['too_deep'])).toEqual([
    'A call takes at most 5 seconds.',
    'Never ask twice.',
    'By default it waits ten seconds.',
    '`ms` | 500, since `too_deep`',
    'It fails with `too_deep`.',
  ])
})

const here = 'test/docs/claims.test.ts'
const giveUpMs = 15_000

it('compares a number with the constant of the sources', () => {
  const grace = constant(here, 'giveUpMs', 'seconds')

  for (const sentence of ['It is gone after 15 seconds.', 'Fifteen seconds of silence.', 'A 15 s limit.'])
    expect(problemsOf(sentence, [grace])).toEqual([])
  for (const sentence of ['It is gone after 16 seconds.', 'After 15 minutes.', 'After 1.15 seconds', '115 seconds'])
    expect(problemsOf(sentence, [grace])).toEqual([expect.stringContaining('is 15 seconds: the sentence says')])
  expect(problemsOf(`${giveUpMs / 1_000} seconds, and 3 times`, [grace])).toEqual([
    'Nothing proves the number 3: add a proof.',
  ])
})

it('says what to do about a proof that is gone', () => {
  const problems = problemsOf('Never.', [
    test(here, 'says what to do about a proof that is gone'),
    test(here, 'is not there'),
    test('test/docs/gone.test.ts', 'x'),
    constant(here, 'gone'),
    noClaim('no'),
  ])

  expect(problems).toEqual([
    `${here} has no test "is not there": name the test that proves the sentence now.`,
    'There is no test/docs/gone.test.ts: name the file that has the test now.',
    `${here} gives \`gone\` no number: name the constant that has it now.`,
    'Say in a sentence why it claims nothing.',
  ])
})
