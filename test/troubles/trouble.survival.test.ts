import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { beginWithin } from './trouble.ts'

const random = () => 0

it('names a trouble that hangs, and ends it when it has begun after all', async () => {
  const faults: string[] = []
  const told = { random, ms: 50, onFault: (fault: string) => faults.push(fault) }
  let ends = 0
  const late = { name: 'late', begin: () => pause(150).then(() => () => ends++) }
  const endless = { name: 'endless', begin: () => () => new Promise(() => {}) }
  const broken = { name: 'broken', begin: () => Promise.reject(new Error('No.')) }

  for (const trouble of [late, endless, broken]) await (await beginWithin(trouble, told))()

  expect(faults).toEqual([
    'hung: "late" did not begin: It took longer than 50 ms.',
    'hung: "endless" did not end: It took longer than 50 ms.',
    'hung: "broken" did not begin: No.',
  ])
  await expect.poll(() => ends).toBe(1)
})
