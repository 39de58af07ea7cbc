import { laws } from '@interleave/test-kit/laws'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { expectTrace, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { recorder } from '../history/index.ts'
import { agent, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import { guardInput } from './guard.ts'
import { type ReflectOptions, reflect } from './reflect.ts'
import { allow, rewrite } from './verdict.ts'

const look = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'nothing' })
const turn: ScriptedTurn = { calls: [{ name: 'look', input: {} }] }
function made(options: ReflectOptions, ...turns: readonly ScriptedTurn[]) {
  const model = scriptedModel(...turns)
  const backend = reasonAct({ before: [reflect(options)] })
  return { model, reflecting: agent({ name: 'a', model, tools: { look }, backend }) }
}

it('asks next to the conversation every so many turns, and tells the agent', async () => {
  const judge = scriptedModel({ text: 'Look elsewhere.', usage: { input: 100, output: 10 } })
  const { model, reflecting } = made({ every: 2, model: judge }, turn, turn, 'Done.')
  const seen = recorder()
  const run = reflecting.start('Find it', { observers: [laws(), seen] })
  await run.settled

  expectTrace(
    seen.export().events,
    `
    0 started a
    0 said user "Find it"
    1 thought "" look({})
    1 claimed 1/tool/0
    1 observed 1/tool/0 text "nothing"
    2 thought "" look({})
    2 claimed 2/tool/0
    2 observed 2/tool/0 text "nothing"
    2 noted consult/reflect/progress/2 "Look elsewhere."
    2 said agent "A look at the work so far:\\n\\nLook elsewhere."
    2 noted reflect/progress {"request":1,"turn":2,"count":1}
    3 thought "Done."
    3 settled answer "Done."
    `,
  )
  expect(JSON.stringify(judge.calls[0]?.prompt)).toContain('[calls look with {}]')
  expect(judge.calls[0]?.tools).toBeUndefined()
  expect(model.calls[2]?.prompt.at(-1)).toMatchObject({ role: 'user' })
  expect(run.state.usage.inputTokens).toBe(130)
})

it('reflects when it is set to, so often on one request, and again on the next', async () => {
  const judge = scriptedModel('One.', 'Two.', 'Three.')
  const options: ReflectOptions = { when: ({ toolCalls }) => toolCalls > 0, most: 2, model: judge }
  const { reflecting } = made(options, turn, turn, turn, 'Done.', turn, 'Done.')
  const run = reflecting.start('Go', { observers: [laws()] })
  await run.settled

  expect(judge.calls).toHaveLength(2)
  await run.say('More')
  await run.settled
  expect(judge.calls).toHaveLength(3)
})

it('reflects once on a turn, also when the run continues elsewhere', async () => {
  const judge = scriptedModel('Fine.')
  const { model, reflecting } = made({ every: 1, most: 1, model: judge }, turn, new Error('down'), 'Done.')
  const journal = memoryJournal()
  const first = reflecting.start('Go', { journal })
  await first.settled

  const run = await reflecting.resume(first.id, { journal })
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(judge.calls).toHaveLength(1)
  expect(JSON.stringify(model.calls.at(-1)?.prompt).match(/A look at/g)).toHaveLength(1)
})

it('asks again when it was stopped in the middle', async () => {
  const judge = scriptedModel(() => new Promise(() => {}), 'Fine.')
  const { reflecting } = made({ every: 1, model: judge }, turn, 'Done.')
  const run = reflecting.start('Go', { observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve, 10))
  await run.stop()
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(judge.calls).toHaveLength(2)
})

it('uses the model of the agent, and keeps to itself what is empty', async () => {
  const { model, reflecting } = made({ every: 1 }, turn, ' ', 'Done.')
  await reflecting.start('Go').settled

  expect(model.calls[2]?.prompt).toHaveLength(3)
})

it('stays out of answers and of requests that have just begun', async () => {
  const judge = scriptedModel()
  const run = made({ when: () => true, model: judge }, 'One.', 'Two.').reflecting.start('Go')
  await run.settled
  await run.say('More')
  await run.settled

  expect(judge.calls).toEqual([])
})

it('tells the agent once, wherever it is interrupted', async () => {
  const model = () => scriptedModel('Look elsewhere.')
  const ends = await resumedEverywhere([turn, 'Done.'], (own) => {
    const backend = reasonAct({ before: [reflect({ every: 1, most: 1, model: model() })] })
    return agent({ name: 'a', model: own, tools: { look }, backend })
  })

  for (const { state } of ends)
    expect(state.history.flat().map(({ type }) => type)).toEqual(['said', 'turn', 'said', 'turn'])
})

it('receives no message that a guard has not seen', async () => {
  const judge = scriptedModel('Fine.')
  const model = scriptedModel(turn, 'Done.', 'Done again.')
  const talk: Step = ({ state }) => (state.iteration === 1 ? run.say('A secret').then(() => undefined) : undefined)
  const guard = guardInput((content) => (content === 'A secret' ? rewrite('…') : allow))
  const backend = reasonAct({ before: [guard, talk, reflect({ every: 1, most: 1, model: judge })] })
  const run = agent({ name: 'a', model, tools: { look }, backend }).start('Go')

  expect(await run.settled).toMatchObject({ output: 'Done again.' })
  expect(judge.calls).toHaveLength(1)
  expect(JSON.stringify([judge.calls, model.calls])).not.toContain('secret')
})
