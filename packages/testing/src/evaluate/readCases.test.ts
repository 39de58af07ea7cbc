import { expect, it } from 'vitest'
import { readCases } from './readCases.ts'

it('reads CSV, with quotes and lines in cells, and keeps other columns', async () => {
  const csv = '\uFEFFid,input,expected,topic\nsum,"Two and\ntwo, please",4,maths\n\n,"Say ""hi""",hi,\n'

  expect(await readCases(csv, { format: 'csv' })).toEqual([
    { id: 'sum', input: 'Two and\ntwo, please', expected: '4', data: { topic: 'maths' } },
    { id: '2', input: 'Say "hi"', expected: 'hi' },
  ])
})

it('reads JSONL, whose expected value may be any JSON', async () => {
  const jsonl = '{"input":"2 + 2","expected":{"sum":4}}\n\n{"id":7,"input":"Hi","lang":"en"}\n'

  expect(await readCases(jsonl, { format: 'jsonl' })).toEqual([
    { id: '1', input: '2 + 2', expected: { sum: 4 } },
    { id: '7', input: 'Hi', data: { lang: 'en' } },
  ])
})

it.each([
  ['csv', 'question\nHi', 'Line 1 of the data set: the header has no column `input`'],
  ['csv', 'input,id,id\nHi,1,2', 'Line 1 of the data set: the header has the column `id` twice'],
  ['csv', 'input\n"a\nb"\nx,y', 'Line 4 of the data set: it has 2 cells, and the header has 1'],
  ['csv', 'input,expected\n"a', 'Line 2 of the data set: Quoted field unterminated'],
  ['csv', 'input,expected\n ,4', 'Line 2 of the data set: `input` must be text that is not empty'],
  ['csv', 'id,input\na,x\n\na,y', 'Line 4 of the data set: the id "a" is that of line 2'],
  ['csv', 'input\n', 'The data set has no cases'],
  ['jsonl', '{"input":"a"}\n{"input":', 'Line 2 of the data set: it is not JSON'],
  ['jsonl', '["a"]', 'Line 1 of the data set: it is not an object'],
  ['jsonl', '{"input":3}', 'Line 1 of the data set: `input` must be text'],
] as const)('says the line that is wrong: %s %j', async (format, text, message) => {
  await expect(readCases(text, { format })).rejects.toThrow(message)
})

it('refuses more than ten thousand cases', async () => {
  await expect(readCases(`input\n${'a\n'.repeat(10_001)}`, { format: 'csv' })).rejects.toThrow('more than 10000 cases')
})
