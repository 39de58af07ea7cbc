import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dialects } from './dialect.ts'
import { Scanner, type Token } from './scanner.ts'

const { marks } = dialects.auto

function scan(chunks: readonly string[]): Token[] {
  const tokens: Token[] = []
  const scanner = new Scanner(marks, (token) => tokens.push(token))
  for (const chunk of chunks) scanner.push(chunk)
  scanner.end()
  return tokens
}

/** Marks, with the plain text between them as one. */
function outline(tokens: readonly Token[]): string[] {
  const found: string[] = []
  let text = ''
  for (const token of tokens) {
    if (token.type === 'text') {
      text += token.text
      continue
    }
    if (text !== '') found.push(text)
    text = ''
    found.push(`${token.type} ${token.text}`)
  }
  return text === '' ? found : [...found, text]
}

it('finds labels, fences, brackets and tags', () => {
  const text = 'Hm.\n Action: {x\n```py\n<command>ls</command>'

  expect(outline(scan([text]))).toEqual([
    'Hm.\n ',
    'label Action:',
    ' ',
    'open {',
    'x\n',
    'fence ```',
    'py\n',
    'tag <command>',
    'ls',
    'tag </command>',
  ])
})

it.each([['so Action: x'], ['a {b}'], ['`a` ``b``'], ['a < b, <b>, <commands>']])('takes %j for plain text', (text) => {
  expect(outline(scan([text]))).toEqual([text])
})

it('gives each chunk at once, but for what may become a mark', () => {
  const tokens: Token[] = []
  const scanner = new Scanner(marks, (token) => tokens.push(token))

  scanner.push('So far, so good\nAct')
  expect(tokens).toEqual([{ type: 'text', text: 'So far, so good\n' }])

  scanner.push('ually')
  expect(tokens.at(-1)).toEqual({ type: 'text', text: 'Actually' })
})

it('breaks no character of two code units', () => {
  const [first, second] = ['😀'.charAt(0), '😀'.charAt(1)]

  expect(scan(['a', first, second, 'b']).map(({ text }) => text)).toEqual(['a', '😀', 'b'])
  expect(scan(['a', first]).map(({ text }) => text)).toEqual(['a', first])
})

const chunks = fc.array(
  fc.oneof(
    fc.constantFrom(
      'Action:',
      'Action',
      ' 1',
      ':',
      '**',
      '\n',
      ' ',
      '`',
      '```',
      '<',
      '<command>',
      '<tool',
      '_call>',
      '{',
      '😀',
    ),
    fc.string({ maxLength: 4 }),
  ),
  { maxLength: 30 },
)

it('loses nothing, and finds the same however the text is cut', () => {
  fc.assert(
    fc.property(chunks, (chunks) => {
      const text = chunks.join('')

      expect(
        scan(chunks)
          .map((token) => token.text)
          .join(''),
      ).toBe(text)
      expect(outline(scan(chunks))).toEqual(outline(scan([text])))
    }),
  )
})
