import { beforeEach, expect, it } from 'vitest'
import { createPlayground } from '../run/createPlayground.ts'
import { shownIn } from '../run/PlaygroundState.ts'
import { many, readDataSet, startMany, stopMany } from './manyRuns.ts'

const first = many.getInitialState()
beforeEach(() => many.setState(first, true))

const small = () => {
  const { dataSet } = first
  many.setState({ dataSet: { ...dataSet, cases: [...dataSet.cases.slice(0, 2), ...dataSet.cases.slice(-1)] } })
}

it('runs the sample over the chosen agent, and each run can be opened', async () => {
  const playground = createPlayground()
  small()

  await startMany(playground)

  const { results, evaluation, problem } = many.getState()
  expect(problem).toBeUndefined()
  expect(evaluation).toMatchObject({ passed: 2, runs: 3 })
  expect(evaluation?.cases.map(({ rate }) => rate)).toEqual([1, 1, 0])
  await playground.show(results[0]?.runId)
  expect(shownIn(playground.store.getState())?.run.state.signal?.type).toBe('answer')
})

it('stops, and keeps what has finished', async () => {
  const playground = createPlayground()
  small()
  const over = startMany(playground)
  stopMany()
  await over

  expect(many.getState()).toMatchObject({ isWorking: false, problem: 'Stopped.' })
})

it('reads a data set from disk, and says what is wrong with one', async () => {
  await readDataSet(new File(['input,expected\n1 + 1,2\n'], 'sums.csv'))
  expect(many.getState().dataSet).toEqual({ name: 'sums.csv', cases: [{ id: '1', input: '1 + 1', expected: '2' }] })

  await readDataSet(new File(['{"question":1}'], 'wrong.jsonl'))
  expect(many.getState()).toMatchObject({
    dataSet: { name: 'sums.csv' },
    problem: 'Line 1 of the data set: `input` must be text that is not empty.',
  })
})

const csv = (content: string | Buffer): File => new File([content as BlobPart], 'cases.csv')
it.each<[string, File, string]>([
  [
    '100 MB',
    { ...csv(''), name: 'cases.csv', size: 100_000_000 } as File,
    'The file is larger than 2.0 MB. Split it, or',
  ],
  ['many rows', csv(`input\n${'a\n'.repeat(900_000)}`), 'The data set has more than 10000 cases. Split it'],
  ['another encoding', csv(Buffer.from('input\ngroß\n', 'latin1')), 'The file is not text in UTF-8. Save it as UTF-8.'],
  [
    'a quote that never closes',
    csv(`input,expected\n"${'a,b\n'.repeat(400_000)}`),
    'Line 2 of the data set: Quoted field',
  ],
  ['NUL', csv('input\na\0b\n'), 'Line 2 of the data set: it has a NUL character. Save the file as UTF-8.'],
  ['a picture', csv(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])), 'The file is not text in UTF-8.'],
])('keeps its data set, and says what is wrong with a file: %s', async (_, file, problem) => {
  await readDataSet(file)

  expect(many.getState().dataSet).toBe(first.dataSet)
  expect(many.getState().problem).toContain(problem)
})

it('runs cases of a spreadsheet, whose columns have any name', async () => {
  await readDataSet(csv(Buffer.from('\uFEFFinput;expected;__proto__\n"=2+2";4;"=cmd()"\n', 'utf16le')))
  await startMany(createPlayground())

  expect(many.getState()).toMatchObject({ problem: undefined, results: [{ caseId: '1' }] })
})

it('refuses more runs than a page takes', async () => {
  many.setState({ runs: 50 })
  await startMany(createPlayground())

  expect(many.getState().problem).toBe('These are 600 runs. Use at most 500 in this page, or `npx interleave test`.')
})
