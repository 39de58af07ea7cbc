import { expect, it } from 'vitest'
import { readMarks, toBack, toMarked } from './Marks.ts'

it('adds to what is known of a run, and forgets what is empty', () => {
  const named = toMarked({ other: { isPinned: true } }, 'run', { name: 'Amsterdam', tokens: 12 })

  expect(named).toEqual({ other: { isPinned: true }, run: { name: 'Amsterdam', tokens: 12 } })
  expect(toMarked(named, 'run', { name: '' })).toEqual({ other: { isPinned: true }, run: { tokens: 12 } })
  expect(toMarked(named, 'other', { isPinned: undefined })).toEqual({ run: named.run })
})

it('lets go of the oldest', () => {
  let marks = {}
  for (let n = 0; n < 1_002; n++) marks = toMarked(marks, `run ${n}`, { isPinned: true })

  expect(Object.keys(marks)).toHaveLength(1_000)
  expect(Object.keys(marks)[0]).toBe('run 2')
})

it.each([null, 'no JSON', '[1]', '{"run":{"name":7,"isPinned":"yes","tokens":"many"},"__proto__":{"name":"x"}}'])(
  'takes nothing that it cannot use: %s',
  (json) => {
    expect(Object.values(readMarks(json)).every((mark) => Object.keys(mark).length === 0)).toBe(true)
  },
)

it('notes once when a run that was killed is at work again', () => {
  const marks = readMarks('{"a":{"kill":{"at":5,"seq":3}},"b":{"kill":{"at":"5"}}}')

  const back = toBack(marks, 'a', 9)

  expect(back.a).toEqual({ kill: { at: 5, seq: 3, backAt: 9 } })
  expect(toBack(back, 'a', 20)).toBe(back)
  expect(toBack(back, 'b', 20)).toBe(back)
})
