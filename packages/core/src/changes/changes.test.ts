import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../agent.ts'
import { memoryJournal } from '../journal/memoryJournal.ts'
import type { Step } from '../run.ts'
import { fold } from './all.ts'
import { compactionChanges } from './compaction.ts'

const compacted = { type: 'compacted', messages: [], keep: 0, strategy: 'drop', before: 2, after: 1 } as const

const emits =
  (learns: boolean): Step =>
  (run) => {
    if (learns) run.learn(compactionChanges)
    run.emit(compacted)
    return { type: 'answer', output: 'done', reason: 'text' }
  }

const started = (backend: Step, options = {}) =>
  agent({ name: 'a', model: scriptedModel('Hi'), backend }).start('Hello', options)

it('ends a run whose step emits an event that nothing has taught it', async () => {
  const run = started(emits(false))

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'invariant_broken' } })
  expect(run.log.map(({ type }) => type)).toEqual(['started', 'said', 'settled'])
  expect(fold(run.log)).toMatchObject({ seq: run.state.seq, compactions: 0 })
})

it.each([
  ['once it has learned it', () => started(emits(true))],
  ['with a journal, which brings all', () => started(emits(false), { journal: memoryJournal() })],
])('has the state of an event of a capability %s', async (_, start) => {
  const run = start()
  await run.settled

  expect(run.state.compactions).toBe(1)
  expect(fold(run.log)).toEqual(run.state)
})

it('finds no change for the name of a member of all objects', () => {
  const foreign = { type: 'constructor', seq: 0, at: 1, iteration: 0 } as never

  expect(() => fold([foreign])).toThrow('I9 is broken')
})
