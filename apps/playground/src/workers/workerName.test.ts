import { expect, it } from 'vitest'
import { fromWorkerName, toWorkerName } from './workerName.ts'

it('tells a worker its run and the file of its agent, in the same words for all tabs', () => {
  const task = { runId: 'a', file: 'interleave: 1' }

  expect(fromWorkerName(toWorkerName(task))).toEqual(task)
  expect(toWorkerName({ file: task.file, runId: task.runId })).toBe(toWorkerName(task))
})

it.each(['{}', 'null', '[]', '"a"'])('refuses the name %s', (name) => {
  expect(() => fromWorkerName(name)).toThrow('not made for a run')
})
