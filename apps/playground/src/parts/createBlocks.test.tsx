import fc from 'fast-check'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { createBlocks } from './createBlocks.ts'
import { MarkdownBlock } from './Markdown.tsx'

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

const textsOf = (text: string, blocksOf = createBlocks()): readonly string[] =>
  blocksOf(text).map((block) => block.text)

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
        const blocks = textsOf(grown, blocksOf)

        expect(blocks.join('')).toBe(grown)
        expect(blocks).toEqual(textsOf(grown))
        expect(html(...blocks)).toBe(html(grown))
      }
    }),
    { numRuns: 200 },
  )
})

it('leaves the parts before alone while the last one grows', () => {
  const text = '# Title\n\nOne.\n\n- a\n\n- b\n\n```js\nconst a = 1\n\nconst b\n```\n\n| a |\n| - |\n| 1 |\n\nEnd.'
  const blocksOf = createBlocks()

  const whole = textsOf(text, blocksOf)

  expect(whole).toEqual([
    '# Title\n\n',
    'One.\n\n',
    '- a\n\n- b\n\n',
    '```js\nconst a = 1\n\nconst b\n```\n\n',
    '| a |\n| - |\n| 1 |\n\n',
    'End.',
  ])
  for (let length = 0; length <= text.length; length++) {
    expect(whole.join('')).toContain(textsOf(text.slice(0, length), blocksOf).join(''))
  }
})

it('keeps code that is indented with what follows, which the parser reads by it', () => {
  const text = '    code\n\n2) second\n\nEnd.'

  expect(textsOf(text)).toEqual(['    code\n\n2) second\n\n', 'End.'])
  expect(html(...textsOf(text))).toBe(html(text))
})

it('takes back a part whose line turns out to be an item of the list before', () => {
  const blocksOf = createBlocks()

  expect(textsOf('End.\n\n1. a\n\n2', blocksOf)).toEqual(['End.\n\n', '1. a\n\n', '2'])
  expect(textsOf('End.\n\n1. a\n\n2. b', blocksOf)).toEqual(['End.\n\n', '1. a\n\n2. b'])
})

it('begins again with another text, and joins all when a definition comes', () => {
  const blocksOf = createBlocks()
  blocksOf('One.\n\nTwo [y].\n\nThree.\n')

  expect(textsOf('Other.\n\nTwo.\n\n', blocksOf)).toEqual(['Other.\n\n', 'Two.\n\n'])
  const defined = 'Other.\n\nTwo.\n\n> [y]: https://a.example\n'
  expect(textsOf(defined, blocksOf)).toEqual([defined])
  expect(blocksOf(`${defined}\nMore.\n\nAnd more.`)).toHaveLength(1)
})

/** Short texts that take a parser, or what draws its tree, long. */
const attacks: readonly (readonly [string, string])[] = [
  ['lists on one line', '- '.repeat(1_000)],
  ['numbered lists on one line', '1. '.repeat(13_000)],
  ['quotes', '>'.repeat(3_000)],
  ['quotes and lists on each line', `${'> - '.repeat(12)}a\n`.repeat(1_000)],
  ['emphasis that opens', '**a '.repeat(10_000)],
  ['emphasis in emphasis', '**a'.repeat(6_000) + 'a**'.repeat(6_000)],
  ['emphasis within words', 'a*'.repeat(20_000)],
  ['two kinds of emphasis', '*a_'.repeat(13_000)],
  ['brackets', `${'['.repeat(20_000)}${']'.repeat(20_000)}`],
  ['images', '![a]('.repeat(8_000)],
  ['code that does not end', '`a'.repeat(20_000)],
  ['tags', '<a '.repeat(13_000)],
  ['addresses', 'a@a.'.repeat(10_000)],
  ['a long list', '- a\n'.repeat(20_000)],
  ['many paragraphs', 'a\n\n'.repeat(30_000)],
  ['a wide table of empty rows', `${'|a'.repeat(500)}\n${'|-'.repeat(500)}\n${'|\n'.repeat(5_000)}`],
  ['notes', Array.from({ length: 3_000 }, (_, at) => `[^${at}]\n\n[^${at}]: b`).join('\n\n')],
  ['nesting by indentation', Array.from({ length: 400 }, (_, at) => `${'  '.repeat(at)}- a`).join('\n')],
]

it.each(attacks)('draws the beginning of %s at most, and loses nothing', (_, text) => {
  const blocks = createBlocks()(text)

  expect(blocks.map((block) => block.text).join('')).toBe(text)
  expect(blocks.some(({ isPlain }) => isPlain)).toBe(true)
})

it.each(attacks)('does not parse %s again for each delta', (_, text) => {
  const blocksOf = createBlocks()
  for (let length = text.length - 50; length <= text.length; length++) blocksOf(text.slice(0, length))

  expect(blocksOf(text)).toEqual(createBlocks()(text))
})

it('draws a deep text as it was written, and the ones next to it as Markdown', () => {
  const deep = `${'> '.repeat(60)}a\n\n`

  expect(createBlocks()(`One.\n\n${deep}Two.`)).toEqual([
    { text: 'One.\n\n', isPlain: false },
    { text: deep, isPlain: true },
    { text: 'Two.', isPlain: false },
  ])
})

it('parses what users and models write', () => {
  const table = `| a | b |\n| - | - |\n${'| **1** | [2](https://a.example) |\n'.repeat(100)}\n`
  const code = `\`\`\`c\n${'  char *a, *b[2]; int **c = (int **) d;\n'.repeat(100)}\`\`\`\n\n`
  const list = `${'- An *item* with `code`\n'.repeat(200)}\n`
  const text = `# Title\n\n${table}${code}${list}${'A paragraph of **some** words.\n\n'.repeat(300)}`

  expect(createBlocks()(text).filter(({ isPlain }) => isPlain)).toEqual([])
})
