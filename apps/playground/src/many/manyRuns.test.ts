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
  expect(shownIn(playground.store.getState())?.run.state.rest?.type).toBe('answer')
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

it('refuses more runs than a page takes', async () => {
  many.setState({ runs: 50 })
  await startMany(createPlayground())

  expect(many.getState().problem).toBe('These are 600 runs. Use at most 500 in this page, or `npx interleave test`.')
})
