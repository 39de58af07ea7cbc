import type { Ask } from '@interleave/core'
import { expect, it } from 'vitest'
import { offeredReplies, typedReply } from './typedReply.ts'

const trains: Ask = {
  id: 'a',
  kind: 'choice',
  prompt: 'Which one shall I book?',
  options: [
    {
      value: 'RAIL-PAR-AMS-0720',
      label: '07:20 → 10:40',
      description: '3 h 20 min, train',
      detail: '€54',
      badge: 'Cheapest',
    },
    { value: 'RAIL-PAR-AMS-1105', label: '11:05 → 14:05', description: '3 h, train', detail: '€71.50' },
    { value: 'RAIL-PAR-AMS-1650', label: '16:50 → 20:10', description: '3 h 20 min, train', detail: '€66' },
  ],
}

it.each([
  ['16:50', 2],
  ['16.50', 2],
  ['The 16:50 train, please!', 2],
  ['16:50 → 20:10', 2],
  ['rail-par-ams-1105', 1],
  ['2', 1],
  ['#2', 1],
  ['option two', 1],
  ['the second one', 1],
  ['2nd', 1],
  ['last', 2],
  ['the cheapest', 0],
  ['€54', 0],
  ['71,50', undefined],
  ['the one with 71.50 euros', 1],
  ['3 h 20 min', undefined],
  ['not the 16:50', undefined],
  ['4', undefined],
  ['Search hotels in Amsterdam', undefined],
  ['Hello, what can you do?', undefined],
  ['the '.repeat(20_000), undefined],
])('takes %j for option %j of a choice', (text, index) => {
  expect(typedReply(trains, text)).toBe(index === undefined ? undefined : trains.options[index]?.value)
})

const listed: Ask = {
  id: 'a',
  kind: 'choices',
  prompt: 'Which?',
  min: 1,
  max: 2,
  options: ['red', 'green', 'light blue'].map((value) => ({ value, label: value })),
}

it.each([
  ['red and light blue', ['red', 'light blue']],
  ['1, 2', ['red', 'green']],
  ['blue', ['light blue']],
  ['red, purple', undefined],
  ['all', undefined],
])('takes %j for %j of several choices', (text, reply) => expect(typedReply(listed, text)).toEqual(reply))

const asked = (question: object): Ask => ({ id: 'a', prompt: '?', ...question }) as Ask

it.each([
  ['confirm', { yes: 'Delete', no: 'Keep' }, 'delete', true],
  ['confirm', { yes: 'Delete', no: 'Keep' }, 'No, thanks', false],
  ['confirm', { yes: 'Delete', no: 'Keep' }, 'which file?', undefined],
  ['text', { minLength: 1, maxLength: 5 }, 'Ann', 'Ann'],
  ['text', { minLength: 1, maxLength: 5 }, 'Annabella', undefined],
  ['approval', { input: {} }, 'yes', { approved: true }],
  ['approval', { input: {} }, 'No, too dear.', { approved: false, reason: 'too dear.' }],
  ['approval', { input: {} }, 'yes, but for two', undefined],
  ['link', { url: 'https://a.example' }, 'done', 'done'],
  ['extension', { suggested: 5 }, 'go on', { extend: 5 }],
  ['extension', { suggested: 5 }, '3', { extend: 3 }],
  ['extension', { suggested: 5 }, 'Stop.', { finish: true }],
  ['form', { schema: { type: 'object', properties: { city: { type: 'string' } } } }, 'Rome', { city: 'Rome' }],
  ['form', { schema: { type: 'object', properties: { city: { enum: ['Rome', 'Paris'] } } } }, 'rome', { city: 'Rome' }],
  ['form', { schema: { type: 'object', properties: { n: { type: 'integer' } } } }, '3', { n: 3 }],
  ['form', { schema: { type: 'object', properties: { a: {}, b: {} } } }, 'x', undefined],
  ['text', { minLength: 1, maxLength: 9, declinable: true }, 'Skip', { $reply: 'declined' }],
])('to a %s %j, %j replies %j', (kind, question, text, reply) => {
  expect(typedReply(asked({ kind, ...question }), text)).toEqual(reply)
})

it('offers what a text may have meant', () => {
  expect(offeredReplies(trains, 'the 16:50 in first class')).toEqual([
    { label: 'Answer “16:50 → 20:10”', reply: 'RAIL-PAR-AMS-1650' },
  ])
  expect(offeredReplies(trains, 'not the 16:50')).toEqual([])
  expect(offeredReplies(trains, 'Hello')).toEqual([])
  expect(offeredReplies(asked({ kind: 'approval', input: {} }), 'For two?')).toEqual([
    { label: 'Refuse, with this reason', reply: { approved: false, reason: 'For two?' } },
  ])
})
