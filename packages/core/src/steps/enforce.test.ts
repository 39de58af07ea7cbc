import { laws } from '@interleave/test-kit/laws'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, answer, finalAnswer, type RunState, reasonAct, type Schema } from '../index.ts'
import { type EnforceOptions, enforce, enforced } from './index.ts'

const done = { calls: [{ name: 'final_answer', input: { answer: 'Done.' } }] }

function start(turns: readonly ScriptedTurn[], { output, ...options }: EnforceOptions & { output?: Schema } = {}) {
  const model = scriptedModel(...turns)
  const backend = reasonAct({ stop: finalAnswer(), otherwise: enforce(options) })
  const bundle = recorder()
  const run = agent<unknown>({ name: 'a', model, backend, ...(output && { output: answer(output) }) }).start('Go', {
    observers: [laws(), bundle],
  })
  return { run, model, events: () => bundle.export().events }
}

it('reminds twice and then takes the last text for the answer', async () => {
  const { run, events } = start(['One.', '', 'Three.'])

  expect(await run.settled).toEqual({ type: 'answer', output: 'Three.', reason: 'completed' })
  expect(enforced(run.state)).toEqual({ attempts: 2, completed: true })
  expectTrace(
    events(),
    `
    0 started a
    0 said user "Go"
    1 thought "One."
    1 noted enforce {"request":1,"turn":1,"attempts":1}
    1 said agent "Your text alone does not end the task. Call final_answer with the answer, or continue with another tool if you do not have it yet."
    2 thought ""
    2 noted enforce {"request":1,"turn":2,"attempts":2}
    2 said agent "You wrote nothing. Call final_answer now, with the best answer you have."
    3 thought "Three."
    3 noted enforce {"request":1,"turn":3,"attempts":2,"over":"completed"}
    3 settled answer "Three."
    `,
  )
})

it('takes an earlier text where the last turns have none', async () => {
  expect(await start(['One.', '', '  ']).run.settled).toMatchObject({ output: 'One.', reason: 'completed' })
})

it('does nothing more once the model ends as it has to', async () => {
  const { run } = start(['One.', done])

  expect(await run.settled).toMatchObject({ output: 'Done.', reason: 'finalAnswer' })
  expect(enforced(run.state)).toEqual({ attempts: 1, completed: false })
})

it.each<[ScriptedTurn, unknown]>([
  ['{"n":1}', { n: 1 }],
  ['Here it is:\n```json\n{"n":1}\n```', { n: 1 }],
])('completes a typed answer with %j', async (text, output) => {
  const { run } = start([text], { attempts: 0, output: z.object({ n: z.number() }) })

  expect(await run.settled).toEqual({ type: 'answer', output, reason: 'completed' })
})

it('completes with the type of the rule where that has its own', async () => {
  const stop = finalAnswer({ output: z.object({ n: z.number() }) })
  const backend = reasonAct({ stop, otherwise: enforce({ attempts: 0 }) })
  const ends = ['{"n":1}', 'One.'].map(
    (text) => agent({ name: 'a', model: scriptedModel(text), backend }).start('Go').settled,
  )

  expect(await ends[0]).toMatchObject({ output: { n: 1 }, reason: 'completed' })
  expect(await ends[1]).toMatchObject({ error: { code: 'answer_missing' } })
})

it.each<[string, EnforceOptions & { output?: Schema }, string]>([
  ['there is no text', {}, ''],
  ['the text does not fit', { output: z.object({ n: z.number() }) }, 'One.'],
  ['it is to fail', { whenExhausted: 'fail' }, 'One.'],
])('fails where %s', async (_, options, text) => {
  const { run } = start([text, text], { attempts: 1, ...options })

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'answer_missing', message: expect.stringContaining('after 1 reminders') },
  })
  expect(enforced(run.state)).toEqual({ attempts: 1, completed: false })
})

it('reminds again when a run continues after it failed', async () => {
  const { run } = start(['One.', 'Two.', done], { attempts: 1, whenExhausted: 'fail' })
  await run.settled

  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(enforced(run.state).attempts).toBe(1)
})

it('counts for each request of the user', async () => {
  const { run } = start(['One.', 'Two.', 'Three.', done], { attempts: 1 })
  await run.settled
  await run.say('And now?')

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(enforced(run.state)).toEqual({ attempts: 1, completed: false })
})

it('counts for each of many runs and requests on its own', async () => {
  const model = () => scriptedModel(...Array.from({ length: 40 }, (_, turn) => `${turn}`))
  const backend = reasonAct({ stop: finalAnswer(), otherwise: enforce({ attempts: 1 }) })
  const runs = Array.from({ length: 3 }, () => agent({ name: 'a', model: model(), backend }).start('Go'))
  await Promise.all(
    runs.map(async (run) => {
      for (let request = 0; request < 20; request++) {
        expect(await run.settled).toMatchObject({ output: `${2 * request + 1}`, reason: 'completed' })
        if (request < 19) await run.say('Go on.')
      }
    }),
  )

  for (const { state } of runs) expect(Object.keys(state.notes)).toEqual(['enforce'])
})

it('reminds in the words of the app', async () => {
  const words = (state: RunState, attempt: number) => `Turn ${state.iteration}, reminder ${attempt}.`
  const { run, model } = start(['One.', 'Two.', done], { remind: words })
  await run.settled

  expect(JSON.stringify(model.calls.at(-1)?.prompt.at(-1))).toContain('Turn 2, reminder 2.')
})

it('continues in the middle after a reload', async () => {
  const backend = reasonAct({ stop: finalAnswer(), otherwise: enforce() })
  const ends = await resumedEverywhere(['One.', 'Two.', 'Three.'], (model) => agent({ name: 'a', model, backend }))

  for (const { signal, state } of ends) {
    expect(signal).toEqual({ type: 'answer', output: 'Three.', reason: 'completed' })
    expect(enforced(state)).toEqual({ attempts: 2, completed: true })
  }
})

it.each<[object, RegExp]>([
  [{ attempts: -1 }, /whole number/],
  [{ attempts: 1.5 }, /whole number/],
])('refuses the options %j', (options, message) => {
  expect(() => enforce(options)).toThrow(message)
})
