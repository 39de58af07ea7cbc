import { laws } from '@interleave/test-kit/laws'
import { type ScriptedModel, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent, reasonAct, type Signal, type Step } from '../index.ts'
import { concurrently } from './concurrently.ts'

const noop = { type: 'failed', error: { code: 'guard_blocked', message: 'No.', retryable: false } } as const
const neighbors =
  (work: () => Promise<Signal | undefined>): Step =>
  (run) =>
    void (run.state.iteration === 0 && run.replan({ concurrent: concurrently(work) }))
const start = (work: () => Promise<Signal | undefined>, ...models: ScriptedModel[]) =>
  agent({ name: 'a', model: models, backend: reasonAct({ before: [neighbors(work)] }) }).start('Go', {
    observers: [laws()],
  })
/** A model that never comes to an end. */
const endless = (): ScriptedModel => scriptedModel(() => new Promise(() => {}))

it('keeps a turn once all that runs next to it is done', async () => {
  let done = false
  const work = () =>
    new Promise<undefined>((resolve) =>
      setTimeout(() => {
        done = true
        resolve(undefined)
      }, 5),
    )
  const run = start(work, scriptedModel('Hello.'))
  run.subscribe(({ type }) => type === 'thought' && expect(done).toBe(true))

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Hello.' })
})

it('gives the turn up for a signal, asks no other model, and keeps the message unread', async () => {
  const spare = scriptedModel('unasked')
  const run = start(async () => noop, endless(), spare)

  expect(await run.settled).toEqual(noop)
  expect(spare.calls).toEqual([])
  expect(run.state.pending).toMatchObject([{ content: 'Go' }])
})

it('keeps of a turn that was over before the signal only what it took', async () => {
  const late = () => new Promise<Signal>((resolve) => setTimeout(() => resolve(noop), 5))
  const run = start(late, scriptedModel('Hello.'))
  await run.settled

  expect(run.state.history.flat()).toMatchObject([{ type: 'turn', parts: [], error: { code: 'guard_blocked' } }])
  expect(run.state.usage).toMatchObject({ inputTokens: 10, outputTokens: 5 })
})

it.each<[string, () => Promise<undefined>]>([
  ['in the end', () => Promise.reject(new Error('broken'))],
  [
    'at once',
    () => {
      throw new Error('broken')
    },
  ],
])('fails with what the work throws %s', async (_, work) => {
  const run = start(work, endless())

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'step_failed', message: 'broken' } })
})

it('leaves the message unread when it is stopped before the work is done', async () => {
  const model = scriptedModel('Hello.', 'Again.')
  const run = start(() => new Promise(() => {}), model)
  await Promise.resolve()
  await run.stop()

  expect(run.state.signal).toMatchObject({ type: 'stopped' })
  expect(run.state.pending).toMatchObject([{ content: 'Go' }])
})
