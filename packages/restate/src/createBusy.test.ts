import { expect, it } from 'vitest'
import { createBusy } from './workOn.ts'

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
  const busy = createBusy()
  const [first, second] = [deferred(), deferred()]
  busy.begin(first.promise)
  let isCalm = false
  const calm = busy.calm().then(() => {
    isCalm = true
  })
  busy.begin(second.promise)
  first.resolve()
  await new Promise((resolve) => setTimeout(resolve))
  expect([isCalm, busy.isBusy]).toEqual([false, true])
  second.resolve()
  await calm

  expect(busy.isBusy).toBe(false)
})

it('says what went wrong first, also to who asks later', async () => {
  const busy = createBusy()
  const [first, second] = [deferred(), deferred()]
  busy.begin(first.promise)
  busy.begin(second.promise)
  second.reject(new Error('Second.'))
  first.reject(new Error('First.'))

  await expect(busy.calm()).rejects.toThrow('Second.')
  await expect(busy.calm()).rejects.toThrow('Second.')
})
