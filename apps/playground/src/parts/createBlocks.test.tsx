import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createBlocks } from './createBlocks.ts'
import { MarkdownBlock } from './MarkdownBlock.tsx'

const lines = fc.constantFrom(
  '',
  '',
  '',
  'A paragraph of *words*',
  'and more',
  '# Heading',
  '===',
  '---',
  '- one',
  '  going on',
  '    deeper',
  '- two',
  '* star',
  '1. first',
  '   still',
  '2) second',
  '```js',
  '```',
  '````',
  '~~~',
  '  ```',
  '    ```',
  '\t```',
  '```a``` b',
  '1. ```',
  '2',
  '> [y]: https://a.example',
  '- ```sh',
  '> quoted',
  '> ```',
  '| a | b |',
  '| - | - |',
  '| 1 | 2 |',
  '    code',
  '\tcode',
  '[x][y]',
  '[y]: https://a.example',
  'see[^1]',
  '[^1]: note',
  '<div>',
  '</div>',
  '<!-- a',
  'b -->',
)
const html = (...texts: readonly string[]): string =>
  texts
    .map((text) => renderToStaticMarkup(<MarkdownBlock text={text} />))
    .join('')
    .replaceAll(/\s*\n\s*/g, '')

/** A text, and where it stopped while it grew. */
const anyGrowth = fc.record({
  text: fc
    .array(lines, { maxLength: 14 })
    .chain((chosen) => fc.constantFrom('\n', '\n', '\r\n', '\r').map((lineEnd) => chosen.join(lineEnd))),
  stops: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 4 }),
})

it('means the same in parts as whole, however the text grew', () => {
  fc.assert(
    fc.property(anyGrowth, ({ text, stops }) => {
      const blocksOf = createBlocks()
      for (const stop of [...stops.toSorted(), 1]) {
        const grown = text.slice(0, Math.round(stop * text.length))
        const blocks = blocksOf(grown)

        expect(blocks.join('')).toBe(grown)
        expect(blocks).toEqual(createBlocks()(grown))
        expect(html(...blocks)).toBe(html(grown))
      }
    }),
    { numRuns: 200 },
  )
})

it('leaves the parts before alone while the last one grows', () => {
  const text = '# Title\n\nOne.\n\n- a\n\n- b\n\n```js\nconst a = 1\n\nconst b\n```\n\n| a |\n| - |\n| 1 |\n\nEnd.'
  const blocksOf = createBlocks()

  const whole = blocksOf(text)

  expect(whole).toEqual([
    '# Title\n\n',
    'One.\n\n',
    '- a\n\n- b\n\n',
    '```js\nconst a = 1\n\nconst b\n```\n\n',
    '| a |\n| - |\n| 1 |\n\n',
    'End.',
  ])
  for (let length = 0; length <= text.length; length++) {
    expect(whole.join('')).toContain(blocksOf(text.slice(0, length)).join(''))
  }
})

it('keeps code that is indented with what follows, which the parser reads by it', () => {
  const text = '    code\n\n2) second\n\nEnd.'

  expect(createBlocks()(text)).toEqual(['    code\n\n2) second\n\n', 'End.'])
  expect(html(...createBlocks()(text))).toBe(html(text))
})

it('takes back a part whose line turns out to be an item of the list before', () => {
  const blocksOf = createBlocks()

  expect(blocksOf('End.\n\n1. a\n\n2')).toEqual(['End.\n\n', '1. a\n\n', '2'])
  expect(blocksOf('End.\n\n1. a\n\n2. b')).toEqual(['End.\n\n', '1. a\n\n2. b'])
})

it('begins anew with another text, and joins all when a definition comes', () => {
  const blocksOf = createBlocks()
  blocksOf('One.\n\nTwo [y].\n\nThree.\n')

  expect(blocksOf('Other.\n\nTwo.\n\n')).toEqual(['Other.\n\n', 'Two.\n\n'])
  const defined = 'Other.\n\nTwo.\n\n> [y]: https://a.example\n'
  expect(blocksOf(defined)).toEqual([defined])
  expect(blocksOf(`${defined}\nMore.\n\nAnd more.`)).toHaveLength(1)
})
