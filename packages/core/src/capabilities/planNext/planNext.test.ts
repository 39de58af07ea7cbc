import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { tool as sdkTool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, reasonAct, type Step, type ToolSet, tool } from '../../index.ts'
import { memoryJournal } from '../../journal/index.ts'
import { latestTurn } from '../../state.ts'
import { planNext } from '../../tools/index.ts'

const inputSchema = z.object({})
const calling = (...names: string[]): ScriptedTurn => ({ calls: names.map((name) => ({ name, input: {} })) })
const start = (tools: ToolSet, ...turns: readonly ScriptedTurn[]) => {
  const model = scriptedModel(...turns)
  return { model, run: agent({ name: 'a', model, instructions: 'Always.', tools }).start('Go') }
}
const systems = ({ calls }: ReturnType<typeof scriptedModel>) => calls.map(({ prompt }) => prompt[0]?.content)

it('asks for the turn after a call as its tool says, and for the one after that as ever', async () => {
  const look = planNext(tool({ inputSchema, execute: () => 'seen' }), {
    instructions: 'Sum up.',
    settings: { temperature: 0 },
  })
  const { model, run } = start({ look }, calling('look'), calling('missing'), 'Done.')
  await run.settled

  expect(systems(model)).toEqual(['Always.', 'Sum up.', 'Always.'])
  expect(model.calls.map(({ temperature }) => temperature)).toEqual([undefined, 0, undefined])
})

it('lets a tool decide by its output, and the first of a turn for each field', async () => {
  const grade = planNext(tool({ inputSchema, execute: () => ({ hard: true }) }), ({ hard }) =>
    hard ? { instructions: 'Think.' } : {},
  )
  const other = planNext(tool({ inputSchema, execute: () => '' }), { instructions: 'Hurry.', tools: ['grade'] })
  const { model, run } = start({ grade, other }, calling('grade', 'other'), 'Done.')
  await run.settled

  expect(systems(model)[1]).toBe('Think.')
  expect(model.calls[1]?.tools).toMatchObject([{ name: 'grade' }])
})

it('says nothing where the call failed', async () => {
  const broken = planNext(tool({ inputSchema, execute: () => Promise.reject(new Error('broken')) }), {
    instructions: 'No.',
  })
  const { model, run } = start({ broken }, calling('broken'), 'Done.')
  await run.settled

  expect(systems(model)).toEqual(['Always.', 'Always.'])
})

it('is the same after a reload, and when the turn has to be asked for again', async () => {
  const brief = { instructions: 'Brief.' }
  const model = scriptedModel(calling('look'), new Error('down'), 'Done.')
  const look = planNext(tool({ inputSchema, execute: () => ({ brief: true }) }), (output) =>
    output.brief ? brief : {},
  )
  const made = agent({ name: 'a', model, instructions: 'Always.', tools: { look } })
  const journal = memoryJournal()
  const first = made.start('Go', { journal })
  await first.settled

  const run = await made.resume(first.id, { journal })
  run.resume()
  await run.settled

  expect(systems(model)).toEqual(['Always.', 'Brief.', 'Brief.'])
})

it('lets a step of the agent have the last word', async () => {
  const model = scriptedModel(calling('look'), 'Done.')
  const look = planNext(tool({ inputSchema, execute: () => '' }), { instructions: 'Tool.', tools: ['look', 'spare'] })
  const backend = reasonAct({ before: [(run) => run.replan({ instructions: 'Step.', tools: ['look'] }) as undefined] })
  await agent({ name: 'a', model, tools: { look, spare: look }, backend }).start('Go').settled

  expect(systems(model)[1]).toBe('Step.')
  expect(model.calls[1]?.tools).toHaveLength(1)
})

it('is refused where it is no plan, and where it is an option of the tool', () => {
  // @ts-expect-error a plan is no text
  expect(() => planNext(tool({ inputSchema, execute: () => '' }), 'Brief.')).toThrow('plan of planNext()')
  const look = { ...tool({ inputSchema, execute: () => '' }), next: { instructions: 'Brief.' } }

  expect(() => agent({ name: 'a', model: scriptedModel(), tools: { look } })).toThrow(/`next`.*planNext\(tool, plan\)/)
})

it('plans after a tool of the AI SDK', async () => {
  const look = sdkTool({ inputSchema, execute: async () => ({ hits: [1] }) })
  const { model, run } = start(
    { look: planNext(look, ({ hits }) => ({ instructions: `${hits.length} hit.` })) },
    calling('look'),
    'Done.',
  )
  await run.settled

  expect(systems(model)).toEqual(['Always.', '1 hit.'])
})

it('plans nothing by an output that was amended away', async () => {
  const find = planNext(
    tool({
      inputSchema,
      execute: () => ({ user: { name: 'Ada' } }),
      toModelOutput: ({ output }) => ({ type: 'text', value: output.user.name }),
    }),
    ({ user }) => ({ instructions: `About ${user.name}.` }),
  )
  const hide: Step = (run) => {
    const [call] = latestTurn(run.state)?.calls ?? []
    if (call?.output)
      run.emit({ type: 'amended', target: call.key, result: { type: 'text', value: '…' }, reason: 'Names.' })
    return undefined
  }
  const model = scriptedModel(calling('find'), 'Done.')
  const backend = reasonAct({ before: [hide] })
  await agent({ name: 'a', model, instructions: 'Always.', tools: { find }, backend }).start('Go').settled

  expect(systems(model)).toEqual(['Always.', 'Always.'])
})

const throws = (): never => {
  throw new Error('Not readable.')
}
const { proxy, revoke } = Proxy.revocable({}, {})
revoke()

it.each<[string, () => unknown]>([
  ['a function that throws', throws],
  ['a member that throws', () => Object.defineProperty({}, 'instructions', { get: throws, enumerable: true })],
  ['a setting that throws', () => ({ settings: Object.defineProperty({}, 'seed', { get: throws, enumerable: true }) })],
  ['a list that throws', () => ({ tools: new Proxy(['look'], { get: throws }) })],
  ['a revoked proxy', () => proxy],
  ['a promise, which is rejected later', () => Promise.reject(new Error('Later.'))],
  ['a promise of a plan', () => Promise.resolve({ tools: ['look'] })],
  ['a text', () => 'Brief.'],
  ['a list', () => ['look']],
  ['one name instead of a list', () => ({ tools: 'look' })],
])('fails with the name of the tool if its plan cannot be read: %s', async (_, next) => {
  const look = planNext(tool({ inputSchema, execute: () => 'seen' }), next as never)
  const { model, run } = start({ look }, calling('look'), 'Done.')

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'tool_failed', message: expect.stringContaining('The plan after the tool "look"') },
  })
  expect(model.calls).toHaveLength(1)
})
