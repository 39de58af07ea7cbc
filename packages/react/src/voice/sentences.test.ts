import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Spoken, sentencesOf } from './sentences.ts'

const whole = (text: string, locale = 'en'): readonly Spoken[] =>
  sentencesOf(text, { locale, from: 0, isDone: true }).spoken

/** Says a text that streams in steps of one character. */
function streamed(text: string, locale = 'en'): readonly Spoken[] {
  const spoken: Spoken[] = []
  let from = 0
  for (let length = 1; length <= text.length; length++) {
    const next = sentencesOf(text.slice(0, length), { locale, from, isDone: length === text.length })
    spoken.push(...next.spoken)
    from = next.end
  }
  return spoken
}

it('keeps the sentence that may go further until it is complete', () => {
  expect(sentencesOf('One. Two', { locale: 'en', from: 0, isDone: false })).toEqual({ spoken: ['One.'], end: 5 })
  expect(sentencesOf('One. Two', { locale: 'en', from: 0, isDone: true })).toEqual({ spoken: ['One.', 'Two'], end: 8 })
  expect(sentencesOf('A line\nand more', { locale: 'en', from: 0, isDone: false })).toEqual({
    spoken: ['A line'],
    end: 7,
  })
})

it('finds the sentences of each language', () => {
  expect(whole('列車を予約しました。8時に出発します。', 'ja')).toEqual(['列車を予約しました。', '8時に出発します。'])
  expect(whole('تم الحجز. يغادر القطار الساعة 8.', 'ar')).toEqual(['تم الحجز.', 'يغادر القطار الساعة 8.'])
  expect(whole('Das kostet 3.50 Euro. Gut.', 'de')).toEqual(['Das kostet 3.50 Euro.', 'Gut.'])
})

it('says no mark of Markdown', () => {
  expect(
    whole(
      '## Trains\n\n- **07:20** from [Paris](https://x.example/a_b)\n- *08:20*\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n',
    ),
  ).toEqual(['Trains', '07:20 from Paris', '08:20', 'a, b', '1, 2'])
  expect(whole('Use `snake_case` and 2 * 3 * 4.')).toEqual(['Use snake_case and 2 * 3 * 4.'])
})

it('says of a code block how long it is, once it is closed', () => {
  const text = 'Run this:\n```sh\nnpm i. Go\nnpm start\n```\nThen wait.'

  expect(whole(text)).toEqual(['Run this:', { codeLines: 2 }, 'Then wait.'])
  expect(streamed(text)).toEqual(whole(text))
  expect(sentencesOf('```js\none.\ntwo.\n', { locale: 'en', from: 0, isDone: false })).toEqual({ spoken: [], end: 0 })
  expect(whole('```js\none.\ntwo.')).toEqual([{ codeLines: 2 }])
})

it('takes inline code for no block, and knows the end of a block by its mark', () => {
  expect(whole('To begin:\n```npm i``` installs it.\nThen run it.')).toEqual([
    'To begin:',
    'npm i installs it.',
    'Then run it.',
  ])
  expect(streamed('```npm i``` installs it.\nThen run it.')).toEqual(['npm i installs it.', 'Then run it.'])
  expect(whole('````md\n```js\na\n```\n````\nDone.')).toEqual([{ codeLines: 3 }, 'Done.'])
  expect(whole('```\na\n```js\nb\n```\nDone.')).toEqual([{ codeLines: 3 }, 'Done.'])
  expect(whole('1. Run\n\n    ```sh\n    rm x.\n    ```\n> ```\n> a\n> ```')).toEqual([
    ...['1.', 'Run'],
    { codeLines: 1 },
    { codeLines: 1 },
  ])
})

it('cuts no address and no link', () => {
  expect(whole('See [the map](https://maps.example/?q=Rome&z=3) today.')).toEqual(['See the map today.'])
  expect(whole('Read [Yahoo! News](https://x.example/a.b) now. Or https://a.example/x?b=1&c=2 later.')).toEqual([
    'Read Yahoo! News now.',
    'Or https://a.example/x?b=1&c=2 later.',
  ])
  expect(whole('2**3 = 8')).toEqual(['2**3 = 8'])
})

it('says a text without an end in parts', () => {
  const { spoken, end } = sentencesOf('word '.repeat(500), { locale: 'en', from: 0, isDone: false })

  expect(spoken.every((part) => String(part).length <= 600)).toBe(true)
  expect(end).toBeGreaterThan(1_800)
  expect(whole(`a${'😀'.repeat(400)}`).join('')).toBe(`a${'😀'.repeat(400)}`)
})

it('says each letter of a text once, however it streams', () => {
  const word = fc.constantFrom(
    'One',
    'two.',
    'drei!',
    '\n',
    '\n\n',
    '- a',
    '**b**',
    '列車。',
    '```\nx\n```\n',
    '| c |',
    '3.5',
  )
  fc.assert(
    fc.property(fc.array(word, { maxLength: 20 }), (words) => {
      const text = words.join(' ')
      const letters = (spoken: readonly Spoken[]): string =>
        spoken
          .map((one) => (typeof one === 'string' ? one.replaceAll(/[^\p{L}\p{N}]/gu, '') : `<${one.codeLines}>`))
          .join('')

      expect(letters(streamed(text))).toBe(letters(whole(text)))
    }),
  )
})

it.each(['*_[`|#> ', '```\nx\n```\n', 'a ](', '[a.', 'One. ', '```\n', '    '])(
  'takes linear time for many of %j',
  (text) => {
    const start = performance.now()
    whole(text.repeat(20_000))

    expect(performance.now() - start).toBeLessThan(5_000)
  },
)
