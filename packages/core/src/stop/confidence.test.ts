import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readConfidence, splitConfidence } from './confidentAnswer.ts'

it.each([
  'Confidence: 0.92',
  'confidence: 0.92',
  'CONFIDENCE = 0.92',
  'Confidence:0.92.',
  '**Confidence:** 0.92',
  '**Confidence: 0.92**',
  '_Confidence_: 92%',
  '### Confidence: 92 %',
  '- Confidence: 92/100',
  '* Confidence: 92 / 100',
  '> Confidence: 92 out of 100',
  '`Confidence: 0,92`',
  '(Confidence: 0.92)',
  '[Confidence: .92]',
  'Confidence level: 0.92',
  'Confidence score: 0.92 (high)',
  '| Confidence: 0.92 |',
  '  Confidence:   +0.92  \n\n',
  '---\nConfidence: 0.92',
  'Confidence: 0.92\n***',
  'Confidence: 0.92\r\n',
])('reads %j and takes it off', (line) => {
  const { text, stated } = splitConfidence(`Five.\n\n${line}`)

  expect(readConfidence(stated)).toBe(0.92)
  expect(text.replace(/\W+$/, '')).toBe('Five')
})

it('takes the line out of a fence and leaves the fence whole', () => {
  expect(splitConfidence('```\nFive.\nConfidence: 1\n```')).toEqual({ text: '```\nFive.\n```', stated: '1' })
})

it.each([
  'Five.',
  '',
  'My confidence: 0.9',
  'Confidence: 0.9\nThat is all.',
  'Confidence is high.',
  `Confidence: ${'0'.repeat(300)}`,
])('leaves %j as it is', (text) => {
  expect(splitConfidence(text)).toEqual({ text, stated: undefined })
})

it.each([
  '92',
  '1.01',
  '101%',
  '-0.1',
  'high',
  '',
  'NaN',
  '1/0',
  '0/0',
  '0.9 or so',
  '0.5-0.7',
  '1 source',
  '1e-1',
  null,
  true,
  1.1,
  -0.1,
  Number.NaN,
])('takes %j for no confidence', (stated) => {
  expect(readConfidence(stated)).toBeUndefined()
})

it('reads every percentage, and gives back the text before it', () => {
  const words = fc.string().filter((text) => text.trim() === text && !/^[\s\-*_]*$/m.test(text))
  fc.assert(
    fc.property(words, fc.integer({ min: 0, max: 100 }), (text, percent) => {
      const split = splitConfidence(`${text}\nConfidence: ${percent}%`)

      expect(split).toEqual({ text, stated: `${percent}%` })
      expect(readConfidence(split.stated)).toBe(percent / 100)
    }),
  )
})

it('reads a long text in linear time', () => {
  const text = `${'- '.repeat(100_000)}\n${' \n'.repeat(100_000)}${'_'.repeat(100_000)}`

  const before = process.cpuUsage()
  splitConfidence(text)

  // Time of this process, whatever else the machine does: in linear time it takes milliseconds, in quadratic time a minute.
  expect(process.cpuUsage(before).user).toBeLessThan(5_000_000)
})
