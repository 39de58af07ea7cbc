import { scripts } from '@interleave/test-kit/scripts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutText, splitText } from './text.ts'
import { estimateMessages, estimateText } from './tokens.ts'

const bytes = (count: number): string =>
  btoa(Array.from({ length: count }, (_, n) => String.fromCharCode((n * 7_919 + (n >> 3) * 104_729) % 256)).join(''))

it('judges a long text by samples, and about as in full', () => {
  const sentence = 'The quick brown fox jumps over the lazy dog, then rests at home for 3 days. '

  expect(estimateText(sentence.repeat(3_000)) / (3_000 * estimateText(sentence))).toBeCloseTo(1, 1)
})

it('counts what is no language for more', () => {
  expect(estimateText(bytes(3_000))).toBeGreaterThan(1_000)
})

it('counts a file as one, however long its bytes are', () => {
  const file = (mediaType: string, data: string) =>
    estimateMessages([{ role: 'user', content: [{ type: 'file', mediaType, data: { type: 'data', data } }] }])

  expect(file('image/png', bytes(30_000))).toBe(file('image/png', 'aGk='))
  expect(file('text/csv', bytes(30_000))).toBeGreaterThan(5_000)
})

it('counts a part of an unknown type, such as a question of the AI SDK', () => {
  const asked = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' }

  expect(estimateMessages([{ role: 'assistant', content: [asked as never] }])).toBeGreaterThan(0)
})

it('ends the cut of a text whose budget is not a number', () => {
  expect(cutText('word '.repeat(100), Number.NaN)).toContain('omitted')
})

it('cuts any text to so many tokens, and keeps its ends', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 3_000 }),
      fc.integer({ min: 20, max: 200 }),
      (text, tokens) => {
        const cut = cutText(text, tokens)

        expect(estimateText(cut)).toBeLessThanOrEqual(tokens)
        expect(isWellFormed(cut)).toBe(isWellFormed(text))
        if (estimateText(text) <= tokens) expect(cut).toBe(text)
      },
    ),
  )
})

it('splits any text into parts that are whole again together', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 3_000 }),
      fc.integer({ min: 10, max: 200 }),
      (text, tokens) => {
        const parts = splitText(text, tokens)

        expect(parts.join('')).toBe(text)
        for (const part of parts) expect(estimateText(part)).toBeLessThanOrEqual(tokens)
      },
    ),
  )
})

const isWellFormed = (text: string): boolean =>
  !/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/.test(text)

it.each(scripts)('counts as many tokens in $script as a model, or a few more', ({ text, tokens }) => {
  for (const [given, counted] of [
    [text, tokens],
    [text.repeat(300), 300 * tokens],
  ] as const) {
    expect(estimateText(given) / counted).toBeGreaterThan(0.9)
    expect(estimateText(given) / counted).toBeLessThan(1.4)
  }
})
