import { expect, it } from 'vitest'
import { readCases } from './readCases.ts'

it('reads CSV, with quotes and lines in cells, and keeps other columns', async () => {
  const csv = '\uFEFFid,input,expected,topic\nsum,"Two and\ntwo, please",4,maths\n\n,"Say ""hi""",hi,\n'

  expect(await readCases(csv, { format: 'csv' })).toEqual([
    { id: 'sum', input: 'Two and\ntwo, please', expected: '4', data: { topic: 'maths' } },
    { id: '2', input: 'Say "hi"', expected: 'hi' },
  ])
})

it.each([';', '\t', '|', ','])('finds the separator %j in the header, however few the rows', async (separator) => {
  const csv = `expected${separator}"input"\nx${separator}Hi\n`

  expect(await readCases(csv, { format: 'csv' })).toEqual([{ id: '1', input: 'Hi', expected: 'x' }])
})

it.each(['\r\n', '\r', '\n'])('reads lines that end with %j, mixed with others', async (end) => {
  const csv = `input,expected${end}a,1${end}b,2\nc,3\r\n`
  const expected = await readCases('input,expected\na,1\nb,2\nc,3', { format: 'csv' })

  expect(await readCases(csv, { format: 'csv' })).toEqual(expected)
  await expect(readCases(`${csv},x`, { format: 'csv' })).rejects.toThrow('Line 5')
})

it('reads as much from a line of JSONL as from a row of CSV', async () => {
  const input = 'x'.repeat(100_000)

  expect(await readCases(JSON.stringify({ input }), { format: 'jsonl' })).toEqual([{ id: '1', input }])
})

it('reads a header of many columns in linear time', async () => {
  const header = `${Array.from({ length: 200_000 }, (_, index) => `n${index}`).join()},input`

  await expect(readCases(`${header}\n`, { format: 'csv' })).rejects.toThrow('no cases')
})

it('reads short rows below a header of many columns in linear time', async () => {
  const header = `input${',n'.repeat(1_000_000)}`.split(',').map((name, index) => (index === 0 ? name : `${index}`))

  const cases = await readCases(`${header.join()}\n${'a\n'.repeat(9_000)}`, { format: 'csv' })

  expect(cases).toHaveLength(9_000)
})

it('reads bytes, as other programs write them', async () => {
  const csv = 'input,expected\nWie groß?,8 m²\n'
  const wide = Buffer.from(`\uFEFF${csv}`, 'utf16le')
  const expected = [{ id: '1', input: 'Wie groß?', expected: '8 m²' }]

  for (const bytes of [Buffer.from(csv), Buffer.from(`\uFEFF${csv}`), wide, Buffer.from(wide).swap16()])
    expect(await readCases(bytes, { format: 'csv' })).toEqual(expected)
  await expect(readCases(Buffer.from(csv, 'latin1'), { format: 'csv' })).rejects.toThrow('not text in UTF-8. Save it')
  await expect(readCases(Buffer.from(csv, 'utf16le'), { format: 'csv' })).rejects.toThrow('UTF-8')
  await expect(readCases(`${csv}a\0b,1`, { format: 'csv' })).rejects.toThrow('Line 3 of the data set: it has a NUL')
})

it('gives columns of any name, and formulas, as data', async () => {
  const csv = 'input,__proto__,constructor,sum\nHi,a,b,"=HYPERLINK(""http://x"")"\n'

  const [one] = await readCases(csv, { format: 'csv' })

  expect(Object.entries(one?.data ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['sum', '=HYPERLINK("http://x")'],
  ])
  expect(Object.getPrototypeOf(one?.data)).toBe(Object.prototype)
})

it.each([
  [[undefined], 'the bytes of its file'],
  [['input\na'], '`format` of readCases()'],
  [['input\na', { format: 'xlsx' }], '`format` of readCases()'],
  [[new Uint8Array(40_000_001), { format: 'csv' }], 'more than 10000000 characters'],
])('says which argument is missing or wrong: %#', async (args, message) => {
  await expect(readCases(...(args as Parameters<typeof readCases>))).rejects.toThrow(message)
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
