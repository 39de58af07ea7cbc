import fc from 'fast-check'
import { expect, it } from 'vitest'
import { relabel } from './relabel.ts'

const labels = { thought: 'Gedanke', action: 'Aktion', actionInput: 'Aktion Eingabe', answer: 'Antwort' }
const read = (chunks: readonly string[]): string => {
  const words = relabel(labels)
  return chunks.map(words.read).join('') + words.end()
}

const written =
  'Gedanke: Aktion: ist ein Wort\n  aktion 2: suche\nAktion Eingabe: {"a":\n1}\nAntwortet: nein\nAntwort: ja'
const known =
  'Thought: Aktion: ist ein Wort\n  Action 2: suche\nAction Input: {"a":\n1}\nAntwortet: nein\nFinal Answer: ja'

it('puts the words that readers know in place of own ones, wherever the text is cut into pieces', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(written.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), written.length]

      expect(read(at.slice(1).map((end, index) => written.slice(at[index], end)))).toBe(known)
    }),
  )
})

it('leaves text alone where no label is replaced', () => {
  const words = relabel({})

  expect(words.read('Thou')).toBe('Thou')
})

it('holds back no more than a label at the beginning of a line', () => {
  const words = relabel(labels)

  expect([words.read('Aktio'), words.read('näre Leute'), words.read(' gibt es')].join('|')).toBe(
    '||Aktionäre Leute gibt es',
  )
})
