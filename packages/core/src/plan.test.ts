import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, type Step, tool } from './index.ts'
import { savedRun } from './journal/index.ts'
import { createPlanner, type TurnPlan } from './plan.ts'

const noop = tool({ inputSchema: z.object({}), execute: () => 'ok' })

it('holds for one turn', () => {
  const planner = createPlanner()

  planner.change(3, { instructions: 'Be brief.' })

  expect(planner.of(3)).toEqual({ instructions: 'Be brief.' })
  expect(planner.of(4)).toEqual({})
})

it('lets what is said later go over what was said before, and only ever narrows the tools', () => {
  const planner = createPlanner()

  planner.change(1, { toolChoice: { type: 'auto' }, tools: ['a', 'b'], settings: { temperature: 1, seed: 1 } })
  planner.change(1, { toolChoice: { type: 'none' }, tools: ['b', 'c'], settings: { temperature: 0 } })

  expect(planner.of(1)).toEqual({ toolChoice: { type: 'none' }, tools: ['b'], settings: { temperature: 0, seed: 1 } })
})

it('refuses `tools` that are not a list of names', () => {
  const planner = createPlanner()

  expect(() => planner.change(1, { tools: 'a' as never })).toThrow('The `tools` of a plan must be a list.')
})

it('asks for the next turn as planned, and for the one after as ever', async () => {
  const model = scriptedModel('unasked')
  const other = scriptedModel({ calls: [{ name: 'noop', input: {} }] })
  const plan: TurnPlan = { instructions: 'Once.', tools: ['noop'], models: [other], settings: { temperature: 0 } }
  const once: Step = (run) => void (run.state.iteration === 0 && run.replan(plan))

  const planned = agent({
    name: 'planned',
    model,
    instructions: 'Always.',
    tools: { noop, spare: noop },
    backend: reasonAct({ before: [once] }),
  })
  await planned.start('Go').settled

  expect(other.calls[0]).toMatchObject({ temperature: 0, tools: [{ name: 'noop' }] })
  expect(other.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Once.' })
  expect(model.calls[0]?.tools).toHaveLength(2)
  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Always.' })
})

it('tells the model what a step needs it to know', async () => {
  const model = scriptedModel('Done.')
  const polite: Step = Object.assign(() => undefined, { instructions: 'Say please.' })

  await agent({ name: 'a', model, instructions: 'Help.', backend: reasonAct({ before: [polite] }) }).start('Go').settled

  expect(model.calls[0]?.prompt[0]).toEqual({ role: 'system', content: 'Help.\n\nSay please.' })
})

it('lets messages that come too late wait for the turn after', async () => {
  const model = scriptedModel('One.', 'Two.')
  const late: Step = (run) => {
    run.replan({ readUntil: run.state.seq })
    if (run.state.iteration === 0) run.emit({ type: 'said', by: 'user', content: 'Too late.' })
    return undefined
  }

  const run = agent({ name: 'a', model, backend: reasonAct({ before: [late] }) }).start('Go')
  await run.settled

  expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([1, 3])
  expect(run.state.signal).toMatchObject({ output: 'Two.' })
})

it('asks for no turn for the sake of a message that is to wait, and for one once it may be received', async () => {
  const model = scriptedModel('One.', 'Two.')
  let says = false
  const late: Step = (run) => {
    run.replan({ readUntil: run.state.seq })
    if (says) run.emit({ type: 'said', by: 'user', content: 'Too late.' })
    says = false
    return undefined
  }
  const a = agent({ name: 'a', model, backend: reasonAct({ before: [late] }) })
  const answered = a.start('Go')
  await answered.settled
  const working = answered.log.filter(({ type }) => type !== 'settled')

  says = true
  const run = await a.resume(savedRun(working))

  expect(await run.settled).toMatchObject({ output: 'Two.' })
  expect(model.calls.map(({ prompt }) => prompt.length)).toEqual([1, 3])
})

it('forgets a plan with the pass that made it', () => {
  const planner = createPlanner()

  planner.change(1, { tools: ['a'] })
  planner.forget()
  planner.change(1, { tools: ['b'] })

  expect(planner.of(1)).toEqual({ tools: ['b'] })
})

it.each([
  ['a promise', async () => 'Be brief.'],
  ['a promise that rejects', () => Promise.reject(new Error('No instructions.'))],
  ['a number', () => 5],
])('asks no model with instructions that are %s', async (_, instructions) => {
  const model = scriptedModel('Hello.')
  const polite: Step = Object.assign(() => undefined, { instructions: 'Say please.' })
  for (const backend of [reasonAct(), reasonAct({ before: [polite] })]) {
    const settled = await agent({ name: 'a', model, backend, instructions: instructions as never }).start('Go').settled

    expect(settled).toMatchObject({
      type: 'failed',
      error: { code: 'options_invalid', message: 'The result of `instructions` must be a string, and no promise.' },
    })
  }
  expect(model.calls).toEqual([])
})
