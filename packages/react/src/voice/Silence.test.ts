import { expect, it } from 'vitest'
import { Silence, type WorkingCall } from './Silence.ts'

const search: WorkingCall = { key: '1/tool/0', tool: 'search' }

/** Returns what is said in the first minutes if nothing else happens, with the seconds. */
function saidFrom(silence: Silence, calls: readonly WorkingCall[]): readonly string[] {
  const said: string[] = []
  for (let due = silence.next(calls); due; due = silence.next(calls)) {
    said.push(`${due.at / 1_000} ${due.waiting.type}`)
    silence.said(due, due.at)
  }
  return said
}

it('says once that the agent works, and then a few times that it still does', () => {
  const silence = new Silence()
  silence.update(true, [], 0)

  expect(saidFrom(silence, [])).toEqual(['2 working', '22 still', '42 still', '62 still'])
})

it('says nothing while nothing works, and begins again with the next message', () => {
  const silence = new Silence()
  silence.update(false, [], 0)
  const idle = saidFrom(silence, [])
  silence.update(true, [], 5_000)
  silence.update(false, [], 6_000)
  silence.update(true, [], 10_000)

  expect([idle, silence.next([])?.at]).toEqual([[], 12_000])
})

it('names a tool that works for longer, once', () => {
  const silence = new Silence()
  silence.update(true, [], 0)
  silence.spoke(500)
  silence.update(true, [search], 1_000)

  expect(saidFrom(silence, [search])).toEqual(['3 tool', '23 still', '43 still', '63 still'])
})

it('names a tool once for all calls of it, and begins to count again when the agent speaks', () => {
  const silence = new Silence()
  const calls = [0, 1, 2].map((index) => ({ key: `1/tool/${index}`, tool: 'search' }))
  silence.update(true, calls, 0)

  expect(saidFrom(silence, calls)).toEqual(['2 tool', '22 still', '42 still', '62 still'])
  silence.spoke(70_000)
  expect(saidFrom(silence, calls)).toEqual(['90 still', '110 still', '130 still'])
})
