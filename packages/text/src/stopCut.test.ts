import fc from 'fast-check'
import { expect, it } from 'vitest'
import { StopCut } from './stepText.ts'

const cutAll = (chunks: readonly string[], stops: readonly string[]): string => {
  const cut = new StopCut(stops)
  return chunks.map((chunk) => cut.read(chunk)).join('') + cut.end()
}

it('ends at the first stop sequence, wherever the text is cut into chunks', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[ab\n]{0,4}$/)), (chunks) => {
      const text = chunks.join('')
      const ends = ['\nab', 'bb'].map((stop) => text.indexOf(stop)).filter((index) => index >= 0)

      expect(cutAll(chunks, ['\nab', 'bb'])).toBe(text.slice(0, Math.min(...ends, text.length)))
    }),
  )
})

it('holds back only what may become a stop sequence', () => {
  const cut = new StopCut(['\nObservation:'])

  expect([cut.read('Hi'), cut.read('\nObs'), cut.read('cure')]).toEqual(['Hi', '', '\nObscure'])
  expect(cut.done).toBe(false)
})

it('is done at a stop sequence, and gives nothing more', () => {
  const cut = new StopCut(['###'])

  expect([cut.read('Hi##'), cut.read('# there'), cut.read('!'), cut.end()]).toEqual(['Hi', '', '', ''])
  expect(cut.done).toBe(true)
})
