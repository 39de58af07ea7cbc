import type { Ask, Json } from '@interleave/core'
import { expect, it } from 'vitest'
import { replyWords } from './replyWords.ts'

const base = { id: '1/tool/0/ask/0', prompt: 'Well?' }
const options = [
  { value: 'a', label: 'Apples' },
  { value: 'b', label: 'Pears' },
]

it.each<[Ask, Json, string]>([
  [{ ...base, kind: 'choice', options }, 'b', 'Pears'],
  [{ ...base, kind: 'choices', options, min: 0, max: 2 }, ['a', 'b'], 'Apples, Pears'],
  [{ ...base, kind: 'confirm', yes: 'Go', no: 'Stay' }, false, 'Stay'],
  [{ ...base, kind: 'text', minLength: 0, maxLength: 10 }, 'Hm.', 'Hm.'],
  [{ ...base, kind: 'form', schema: {} }, { file: 'a,b\n1,2\n' }, 'file: 8 characters'],
  [{ ...base, kind: 'form', schema: {} }, { file: 'x'.repeat(100), name: 'Ann' }, 'file: 100 characters, name: Ann'],
  [{ ...base, kind: 'approval', tool: 't', input: {}, schema: {} }, { approved: true }, 'Approved'],
  [
    { ...base, kind: 'approval', tool: 't', input: {}, schema: {} },
    { approved: true, input: {} },
    'Approved with changes',
  ],
  [
    { ...base, kind: 'approval', tool: 't', input: { id: 'a', travellers: 1 }, schema: {} },
    { approved: true, input: { id: 'a', travellers: 2, seats: ['4A'] } },
    'Approved with travellers: 2, seats: ["4A"]',
  ],
  [{ ...base, kind: 'approval', tool: 't', input: {}, schema: {} }, { approved: false, reason: 'No.' }, 'Refused: No.'],
  [
    { ...base, kind: 'approval', tool: 't', input: {}, schema: {} },
    { approved: true, remember: 'tool' },
    'Approved, always for this tool',
  ],
  [
    { ...base, kind: 'approval', tool: 't', input: {}, schema: {}, persistent: true },
    { approved: true, remember: 'input', persistent: true },
    'Approved, for good for the same input',
  ],
  [
    { ...base, kind: 'extension', limit: 'iterations', used: 1, allowed: 1, suggested: 1 },
    { extend: 5 },
    'Continue, 5 more',
  ],
])('tells the reply to %j as a user would', (ask, reply, words) => {
  expect(replyWords(ask, reply)).toBe(words)
})
