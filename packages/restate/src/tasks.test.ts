import { expect, it } from 'vitest'
import { Tasks } from './runWork.ts'

function deferred() {
  let resolve = (): void => {}
  let reject = (_: Error): void => {}
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

it('is calm when all that was begun is over, also what was begun meanwhile', async () => {
  const tasks = new Tasks()
  const [first, second] = [deferred(), deferred()]
  tasks.addTask(first.promise)
  let isCalm = false
  const calm = tasks.untilEmpty().then(() => {
    isCalm = true
  })
  tasks.addTask(second.promise)
  first.resolve()
  await new Promise((resolve) => setTimeout(resolve))
  expect([isCalm, tasks.isEmpty]).toEqual([false, false])
  second.resolve()
  await calm

  expect(tasks.isEmpty).toBe(true)
})

it('says what went wrong first, also to that asks later', async () => {
  const tasks = new Tasks()
  const [first, second] = [deferred(), deferred()]
  tasks.addTask(first.promise)
  tasks.addTask(second.promise)
  second.reject(new Error('Second.'))
  first.reject(new Error('First.'))

  await expect(tasks.untilEmpty()).rejects.toThrow('Second.')
  await expect(tasks.untilEmpty()).rejects.toThrow('Second.')
})
