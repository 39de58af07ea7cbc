import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { createEar } from './createFollowers.ts'

const at = (seq: number, iteration = 0): Event => ({ seq, at: 0, iteration, type: 'called', call: `${seq}` })
const delta = (text: string) => ({ type: 'delta', kind: 'text', delta: text }) as const

function listen() {
  const heard: (number | string)[] = []
  const ear = createEar({
    tell: (events) => heard.push(...events.map((event) => ('seq' in event ? event.seq : JSON.stringify(event)))),
  })
  return { ear, heard }
}

it('tells each event once and in order, whoever says it', () => {
  const { ear, heard } = listen()
  ear.kept([at(0), at(1)])
  ear.hear({ kept: [at(1), at(2)] })
  ear.kept([at(0), at(1), at(2), at(3)])

  expect(heard).toEqual([0, 1, 2, 3])
  expect(ear.length).toBe(4)
})

it('says that something is missing, and tells nothing that comes after', () => {
  const { ear, heard } = listen()

  expect(ear.hear({ kept: [at(2)] })).toBe(false)
  expect(heard).toEqual([])
  expect(ear.kept([at(0), at(1), at(2)])).toBe(true)
})

it('tells what is not kept in its place', () => {
  const { ear, heard } = listen()
  ear.hear({ after: 2, iteration: 0, events: [delta('a')] })
  ear.kept([at(0), at(1), at(2, 1)])

  expect(heard).toEqual([0, 1, JSON.stringify(delta('a')), 2])
})

it('leaves out what is not kept of a turn that is', () => {
  const { ear, heard } = listen()
  ear.kept([at(0), at(1, 1)])
  ear.hear({ after: 1, iteration: 0, events: [delta('late')] })

  expect(heard).toEqual([0, 1])
})

it('tells nothing of a log that is another one', () => {
  const told: unknown[] = []
  const ear = createEar({ tell: (events) => told.push(...events), isRight: () => false })
  ear.kept([at(0)])

  expect(told).toEqual([])
})
