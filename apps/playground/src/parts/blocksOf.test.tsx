import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { blocksOf } from './blocksOf.ts'
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

it('means the same in parts as whole', () => {
  fc.assert(
    fc.property(fc.array(lines, { maxLength: 14 }), (chosen) => {
      const text = chosen.join('\n')

      expect(html(...blocksOf(text))).toBe(html(text))
    }),
    { numRuns: 300 },
  )
})

it('leaves the parts before alone while the last one grows', () => {
  const text = '# Title\n\nOne.\n\n- a\n\n- b\n\n```js\nconst a = 1\n\nconst b\n```\n\n| a |\n| - |\n| 1 |\n\nEnd.'

  expect(blocksOf(text)).toEqual([
    '# Title\n',
    'One.\n',
    '- a\n\n- b\n',
    '```js\nconst a = 1\n\nconst b\n```\n',
    '| a |\n| - |\n| 1 |\n',
    'End.',
  ])
  for (let length = 0; length < text.length; length++) {
    const parts = blocksOf(text.slice(0, length))
    expect(blocksOf(text).slice(0, parts.length - 1)).toEqual(parts.slice(0, -1))
  }
})
