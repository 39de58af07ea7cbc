import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, answer, finalAnswer, type Run, reasonAct, type Schema } from '../index.ts'
import { fold, type LiveEvent, partialOutput, reduce } from './index.ts'

const delta = (text: string, tool = 'final_answer'): LiveEvent => ({
  type: 'delta',
  kind: 'input',
  id: 'c',
  tool,
  delta: text,
})
const streaming = (...deltas: LiveEvent[]) => deltas.reduce(reduce, fold([]))

const answering = (output: Schema, input: object, stop = finalAnswer()) => {
  const model = scriptedModel({ calls: [{ name: stop.tools?.({ output: undefined })[0]?.name ?? '', input }] })
  return agent({ name: 'a', model, output: answer(output), backend: reasonAct({ stop }) })
}

it('gives what has arrived of a typed answer, the same value for the same state', () => {
  const state = streaming(delta('{"stars": 4, "wo'), delta('rds": "Very g'))

  expect(partialOutput(state)).toEqual({ stars: 4, words: 'Very g' })
  expect(partialOutput(state)).toBe(partialOutput(state))
  expect(partialOutput(streaming(delta('{"answer": ["a", "b')))).toEqual(['a', 'b'])
  expect(partialOutput(streaming(delta('{"q": "x', 'search')))).toBeUndefined()
  expect(partialOutput(fold([]))).toBeUndefined()
})

it('knows the answer tool of an agent, and a field of its own that is named like the one around an answer', () => {
  const own = answering(z.object({ answer: z.string() }), {}, finalAnswer({ name: 'done' }))

  expect(partialOutput(streaming(delta('{"answer": "x', 'done')), own)).toEqual({ answer: 'x' })
  expect(partialOutput(streaming(delta('{"answer": "x')), own)).toBeUndefined()
})

it('has the whole answer until the run settles with it', async () => {
  const guide = answering(z.object({ stars: z.number() }), { stars: 4 })
  const run: Run = guide.start('Go')
  const seen: unknown[] = []
  run.subscribe(({ type }, state) => seen.push([type, partialOutput(state, guide)]))

  await run.settled

  expect(seen).toContainEqual(['thought', { stars: 4 }])
  expect(seen.at(-1)).toEqual(['settled', undefined])
})
