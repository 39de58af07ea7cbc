import { jsonSchema } from 'ai'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Json } from '../../json.ts'
import { compileSchema } from '../../schema.ts'
import { readAnswer } from './readAnswer.ts'

const read = (given: Json, output?: unknown) => readAnswer(given, output ? compileSchema(output, 'It') : undefined)
const point = z.object({ n: z.number() })
const loose = jsonSchema({ type: 'object', properties: { n: { type: 'number' } } })

it.each<[unknown, Json, unknown]>([
  [point, { n: 1 }, { n: 1 }],
  [point, { answer: { n: 1 } }, { n: 1 }],
  [point, { answer: '{"n":1}' }, { n: 1 }],
  [point, '{"n":1}', { n: 1 }],
  [point, 'It is this:\n```json\n{"n":1}\n```\nI hope.', { n: 1 }],
  [z.object({ n: z.number().optional() }), { answer: { n: 1 } }, { n: 1 }],
  [z.object({ answer: z.string() }), { answer: 'Five.' }, { answer: 'Five.' }],
  [z.object({ answer: z.string() }), { answer: { answer: 'Five.' } }, { answer: 'Five.' }],
  [z.record(z.string(), z.string()), { answer: 'Five.' }, { answer: 'Five.' }],
  [z.number(), { answer: 5 }, 5],
  [z.number(), { answer: '5' }, 5],
  [z.int(), 5, 5],
  [z.array(z.number()), [1], [1]],
  [z.array(z.number()), { answer: '[1]' }, [1]],
  [z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]), { b: 'x' }, { b: 'x' }],
  [z.string(), { answer: '{"n":1}' }, '{"n":1}'],
  [z.string().nullable(), { answer: null }, null],
  [loose, { answer: '{"n":1}' }, { n: 1 }],
  [loose, '{"answer":{"n":1}}', { n: 1 }],
  [undefined, { answer: 'Five.' }, 'Five.'],
  [undefined, 'Five.', 'Five.'],
  [undefined, '{"answer":"Five."}', 'Five.'],
  [undefined, '{"n":1}', '{"n":1}'],
  [undefined, { answer: 5 }, '5'],
  [undefined, { answer: '{"answer":"x"}' }, '{"answer":"x"}'],
])('%#. reads an answer as it was meant', async (output, given, expected) => {
  expect(await read(given, output)).toEqual({ ok: true, value: expected })
})

it.each<[unknown, Json, RegExp]>([
  [point, { n: 'x' }, /n: /],
  [point, {}, /n: /],
  [point, { answer: 'Five.' }, /of type object/],
  [point, '{"n":1} {"n":2}', /of type object/],
  [point, '```\n{"n":1}\n```\n```\n{"n":2}\n```', /of type object/],
  [z.number(), {}, /of type number/],
  [loose, 'Five.', /of type object/],
  [undefined, {}, /field "answer"/],
  [undefined, { answer: { n: 1 } }, /field "answer"/],
  [undefined, null, /field "answer"/],
])('%#. says why an answer does not fit', async (output, given, message) => {
  expect(await read(given, output)).toEqual({ ok: false, message: expect.stringMatching(message) })
})

it('takes every text for itself where the answer is a text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      expect(await read({ answer: text })).toEqual({ ok: true, value: text })
      expect(await read({ answer: text }, z.string())).toEqual({ ok: true, value: text })
    }),
  )
})

it('finds a value in each of the ways in which models write it', async () => {
  const value = z.object({ list: z.array(z.int()) })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer()), async (list) => {
      const json = JSON.stringify({ list })
      for (const given of [
        { list },
        { answer: { list } },
        { answer: json },
        json,
        `Here:\n\`\`\`json\n${json}\n\`\`\``,
      ])
        expect(await read(given, value)).toEqual({ ok: true, value: { list } })
    }),
  )
})
