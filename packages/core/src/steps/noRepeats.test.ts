import { laws } from '@interleave/test-kit/laws'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openCalls, recorder } from '../history/index.ts'
import { agent, finalAnswer, reasonAct, tool } from '../index.ts'
import { type NoRepeatsOptions, noRepeats } from './index.ts'

const look = tool({ inputSchema: z.record(z.string(), z.unknown()), effect: 'readOnly', execute: () => 'Five.' })
const at = (...inputs: unknown[]) => ({ calls: inputs.map((input) => ({ name: 'look', input })) })
const described = (model: ReturnType<typeof scriptedModel>, options?: NoRepeatsOptions) =>
  agent({ name: 'a', model, tools: { look, wait: look }, backend: reasonAct({ between: [noRepeats(options)] }) })

function start(turns: readonly ScriptedTurn[], options?: NoRepeatsOptions) {
  const bundle = recorder()
  const model = scriptedModel(...turns)
  const run = described(model, options).start('Go', { observers: [laws(), bundle] })
  const warnings = () => bundle.export().events.filter((event) => event.type === 'said' && event.by === 'agent').length
  return { run, model, warnings, events: () => bundle.export().events }
}

it('warns of the third call that is the same, and ends the run at the next', async () => {
  const { run, events } = start([
    at({ a: 1, b: 2 }),
    at({ b: 2, a: 1 }),
    at({ a: 1, b: 2 }),
    at({ b: 2, a: 1 }, { a: 2 }),
  ])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'call_repeated', retryable: false } })
  expectTrace(
    events(),
    `
    0 started a
    0 said user "Go"
    1 thought "" look({"a":1,"b":2})
    1 claimed 1/tool/0
    1 observed 1/tool/0 text "Five."
    2 thought "" look({"b":2,"a":1})
    2 claimed 2/tool/0
    2 observed 2/tool/0 text "Five."
    3 thought "" look({"a":1,"b":2})
    3 said agent "You have called look with the same input 3 times. Its results are above: use them, or try something else. If you call it so once more, the task ends."
    3 claimed 3/tool/0
    3 observed 3/tool/0 text "Five."
    4 thought "" look({"b":2,"a":1}) look({"a":2})
    4 observed 4/tool/0 error-text "Not run: this was called with the same input too often."
    4 settled failed call_repeated
    `,
  )
})

it.each<[string, (run: ReturnType<typeof start>['run']) => unknown]>([
  ['resume', (run) => run.resume()],
  ['a message', (run) => run.say('Try something else.')],
])('can continue by %s, with the other calls of the turn', async (_, proceed) => {
  const { run } = start([at({}), at({}), at({}), at({}, { a: 2 }), 'Done.'])
  await run.settled

  await proceed(run)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(openCalls(run.state)).toEqual([])
})

it('lets a model continue that heeds the warning', async () => {
  const { run, warnings } = start([at({}), at({}), at({}), at({ a: 1 }), 'Done.'])

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(warnings()).toBe(1)
})

it('warns before it ends the run, however often a turn says the same', async () => {
  const { run, warnings } = start([at({}, {}, {}, {}, {}), 'Done.'])

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(warnings()).toBe(1)
})

it.each<[string, readonly ScriptedTurn[], NoRepeatsOptions?]>([
  ['other inputs', Array.from({ length: 8 }, (_, n) => at({ n, list: [n, 1] }))],
  [
    'the same input of different tools',
    Array.from({ length: 2 }, () => ({ calls: ['look', 'wait'].map((name) => ({ name, input: {} })) })),
  ],
  ['exceptions', Array.from({ length: 8 }, () => at({})), { except: ['look'] }],
  ['calls that are long ago', [1, 2, 3, 1, 2, 3, 1, 2, 3].map((n) => at({ n })), { within: 4 }],
])('does not mind %s', async (_, turns, options) => {
  const { run, warnings } = start([...turns, 'Done.'], options)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(warnings()).toBe(0)
})

it('counts again with each request of the user', async () => {
  const { run, warnings } = start([at({}), at({}), 'Done.', at({}), at({}), 'Done again.'])
  await run.settled
  await run.say('Again.')

  expect(await run.settled).toMatchObject({ output: 'Done again.' })
  expect(warnings()).toBe(0)
})

it('warns and ends alike in the middle after a reload', async () => {
  const turns = Array.from({ length: 5 }, () => at({}))
  const ends = await resumedEverywhere(turns, (model) => described(model))

  for (const { signal, state } of ends) {
    expect(signal).toMatchObject({ error: { code: 'call_repeated' } })
    const warned = [...state.history.flat(), ...state.pending].filter(
      (entry) => entry.type === 'said' && /same input/.test(`${entry.content}`),
    )
    expect(warned).toHaveLength(1)
  }
})

it('warns in the words of the app', async () => {
  const { run, model } = start([at({}), at({}), 'Done.'], { times: 2, warn: ({ name }, count) => `${name}: ${count}` })
  await run.settled

  expect(JSON.stringify(model.calls.at(-1)?.prompt.at(-1))).toContain('look: 2')
})

it.each<[object, RegExp]>([
  [{ times: 1 }, /times/],
  [{ times: 2.5 }, /times/],
  [{ times: 3, within: 3 }, /within/],
])('refuses the options %j', (options, message) => {
  expect(() => noRepeats(options)).toThrow(message)
})

it('warns of each call that is the same, not of the first alone', async () => {
  const both: ScriptedTurn = { calls: ['look', 'wait'].map((name) => ({ name, input: {} })) }
  const { run, model } = start([both, both, both, 'Done.'])
  await run.settled

  const told = JSON.stringify(model.calls[3]?.prompt.slice(-2))
  expect(told).toMatch(/called look with the same.*called wait with the same/)
})

it('asks for no further turn where the one that it warns of has the final answer', async () => {
  const last: ScriptedTurn = { calls: [...at({}).calls, { name: 'final_answer', input: { answer: 'Five.' } }] }
  const model = scriptedModel(at({}), at({}), last)
  const backend = reasonAct({ between: [noRepeats()], stop: finalAnswer() })
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Five.' })
})
