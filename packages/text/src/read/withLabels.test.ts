import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createTextReader, joinTextEvents } from '../textReader.ts'

const labels = { thought: 'Gedanke', action: 'Aktion', actionInput: 'Aktion Eingabe', answer: 'Antwort' }
const read = (chunks: readonly string[]) => {
  const reader = createTextReader({ format: 'mrkl-json-input', labels })
  return joinTextEvents([...chunks.flatMap(reader.read), ...reader.end()])
}

it('reads the words of an app, wherever the text is cut into chunks', () => {
  const written = 'Gedanke: Die Aktion: suchen.\n  Aktion 2: suche\nAktion Eingabe: {"wort":\n"Paris"}'

  fc.assert(
    fc.property(fc.array(fc.nat(written.length), { maxLength: 12 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), written.length]
      const chunks = at.slice(1).map((end, index) => written.slice(at[index], end))

      expect(read(chunks)).toEqual({
        thought: 'Die Aktion: suchen.',
        actions: [{ tool: 'suche', input: { wort: 'Paris' } }],
      })
    }),
  )
})

it.each(['Antwort: Ja.', 'Final Answer: Ja.'])('reads %s, in words of the app or of the format', (written) => {
  expect(read([written])).toMatchObject({ finish: 'Ja.' })
})

it('takes a word that merely begins with a label for text', () => {
  expect(read(['Antwortet: nein']).problem).toBeDefined()
})
