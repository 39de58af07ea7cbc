import { expect, it } from 'vitest'
import { linkedRun, runLink } from './runLink.ts'

it.each(['a', 'a/b c#d', 'ü%'])('finds the run %j in its link', (id) => {
  expect(linkedRun(runLink(id))).toBe(id)
})

it.each(['', '#', '#/runs/', '#/docs/a', '#/runs/%'])('finds no run in %j', (hash) => {
  expect(linkedRun(hash)).toBeUndefined()
})
