import { expect, it } from 'vitest'
import { z } from 'zod'
import { choice, choices, confirm, form, type TypedQuestion, text } from './index.ts'
import { checkReply } from './question.ts'

const pick = choice({ prompt: '?', options: ['a', { value: 'b', label: 'Bee', description: 'The second' }] })
const some = choices({ prompt: '?', options: ['a', 'b', 'c'], min: 1, max: 2 })
const name = text({ prompt: '?', minLength: 2, maxLength: 4 })
const fields = form({ prompt: '?', schema: z.object({ n: z.coerce.number() }) })

it.each([choice, choices])('throws at once where no one could answer', (ask) => {
  expect(() => ask({ prompt: '?', options: [] })).toThrow(/without options/)
})

it('describes each question as plain JSON', () => {
  const questions = [
    pick,
    some,
    confirm({ prompt: '?' }),
    confirm({ prompt: '?', yes: 'Go', no: 'Wait' }),
    name,
    fields,
  ]

  expect(JSON.parse(JSON.stringify(questions.map(({ question }) => question)))).toMatchObject([
    {
      kind: 'choice',
      options: [
        { value: 'a', label: 'a' },
        { value: 'b', label: 'Bee', description: 'The second' },
      ],
    },
    { kind: 'choices', min: 1, max: 2 },
    { kind: 'confirm', yes: 'Yes', no: 'No' },
    { kind: 'confirm', yes: 'Go', no: 'Wait' },
    { kind: 'text', minLength: 2, maxLength: 4 },
    { kind: 'form', schema: { type: 'object', properties: { n: { type: 'number' } } } },
  ])
})

it('bounds what has no bounds of its own', () => {
  expect(choices({ prompt: '?', options: ['a', 'b'] }).question).toMatchObject({ min: 0, max: 2 })
  expect(text({ prompt: '?' }).question).toMatchObject({ minLength: 0, maxLength: 10_000 })
})

it.each<[string, TypedQuestion<unknown>, unknown, unknown]>([
  ['an option', pick, 'b', 'b'],
  ['some options', some, ['c', 'a'], ['c', 'a']],
  ['yes', confirm({ prompt: '?' }), true, true],
  ['no', confirm({ prompt: '?' }), false, false],
  ['a text', name, 'abcd', 'abcd'],
  ['an empty text', text({ prompt: '?' }), '', ''],
  ['a form', fields, { n: '5' }, { n: 5 }],
])('takes %s', async (_, asking, reply, value) => {
  expect(await asking.check(reply)).toEqual({ ok: true, value })
})

it.each<[string, TypedQuestion<unknown>, unknown, RegExp]>([
  ['what is no option', pick, 'c', /^Choose one of "a", "b"\.$/],
  ['a label for the value', pick, 'Bee', /one of/],
  ['a name of every object', pick, 'constructor', /one of/],
  ['several for one', pick, ['a'], /one of/],
  ['nothing', pick, undefined, /one of/],
  ['too few', some, [], /^Choose at least 1\.$/],
  ['too many', some, ['a', 'b', 'c'], /^Choose at most 2\.$/],
  ['the same twice', some, ['a', 'a'], /at most once/],
  ['what is no option among others', some, ['a', 'x'], /^Choose from "a", "b", "c"\.$/],
  ['one for several', some, 'a', /Choose from/],
  ['a word for yes', confirm({ prompt: '?' }), 'yes', /true or false/],
  ['a number for text', name, 5, /^Answer with text\.$/],
  ['a short text', name, 'a', /at least 2 characters/],
  ['a long text', name, 'abcde', /at most 4 characters/],
  ['a wrong form', fields, { n: 'x' }, /^n: /],
  ['an empty form', fields, undefined, /.+/],
])('refuses %s', async (_, asking, reply, message) => {
  expect(await asking.check(reply)).toEqual({ ok: false, message: expect.stringMatching(message) })
})

it('can say of a form only that it is empty, where the schema is not at hand', async () => {
  const question = await fields.question

  expect(checkReply(question, undefined)).toEqual({ ok: false, message: 'Fill in the form.' })
  expect(checkReply(question, { anything: 1 })).toEqual({ ok: true, value: { anything: 1 } })
})

it('refuses questions that no answer fits', () => {
  const prompt = 'Which?'

  expect(() => choices({ prompt, options: ['a', 'b'], min: 2, max: 1 })).toThrow(/no answer/)
  expect(() => choices({ prompt, options: ['a', 'b'], min: 3 })).toThrow(/no answer/)
  expect(() => text({ prompt, minLength: 5, maxLength: 4 })).toThrow(/no answer/)
})
