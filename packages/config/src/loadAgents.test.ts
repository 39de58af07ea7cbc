import {
  type Agent,
  agent,
  answer,
  approval,
  finalAnswer,
  reasonAct,
  type Step,
  textAnswer,
  tool,
} from '@interleave/core'
import { savedRun } from '@interleave/core/journal'
import { act, inOrder, limit, think } from '@interleave/core/steps'
import { type ScriptedModel, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Config, configOf, declared, loadAgents, registry } from './index.ts'
import { bothWays, type TwoWays } from './testing/bothWays.ts'

const search = tool({
  description: 'Searches.',
  inputSchema: z.object({ query: z.string() }),
  effect: 'readOnly',
  execute: ({ query }) => `Nothing about ${query}.`,
})
const searching = { calls: [{ name: 'search', input: { query: 'otters' } }] }

async function expectSame(fields: string, byHand: TwoWays['byHand'], options: Partial<TwoWays> = {}) {
  const text = `interleave: 1\nagents:\n  a:\n    model: fast\n${fields}`
  const { declared, coded } = await bothWays({ text, byHand, turns: [searching, 'Done.'], ...options })

  expect(declared).toEqual(coded)
  return declared.trace
}

it('behaves like the same agent in code', async () => {
  const trace = await expectSame(
    `
    instructions: Be brief.
    tools: [search]
    `,
    (model) => agent({ name: 'a', model, instructions: 'Be brief.', tools: { search } }),
    { tools: { search } },
  )

  expect(trace).toContain('answer "Done."')
})

it('takes a JSON Schema for the output', async () => {
  const city = z.object({ city: z.string(), people: z.int() })
  const wrong = { calls: [{ name: 'final_answer', input: { city: 'Graz' } }] }
  const right = { calls: [{ name: 'final_answer', input: { city: 'Graz', people: 300_000 } }] }

  const trace = await expectSame(
    `
    output:
      $schema: http://json-schema.org/draft-07/schema#
      type: object
      properties:
        city: { type: string }
        people: { type: integer, minimum: -9007199254740991, maximum: 9007199254740991 }
      required: [city, people]
    `,
    (model) => agent({ name: 'a', model, output: answer(city) }),
    { turns: [wrong, right] },
  )

  expect(trace).toContain('The answer does not fit: people: ')
})

const note = (text: string): Step => Object.assign(() => undefined, { instructions: text })

it('makes a pipeline with limits, rules and steps of your own', async () => {
  const steps = {
    note: declared(z.strictObject({ text: z.string() }), ({ text }) => note(text)),
    hum: () => note('Hum.'),
  }

  const trace = await expectSame(
    `
    tools: [search]
    backend:
      reasonAct:
        stop: { finalAnswer: { name: done } }
        limits: { iterations: 2 }
        think: { settings: { temperature: 0.5, reasoning: low }, retries: 0 }
        act: { parallel: 1 }
        before: [hum, { note: { text: Think of otters. } }]
        otherwise: remind
    `,
    (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          stop: finalAnswer({ name: 'done' }),
          limits: { iterations: 2 },
          think: { settings: { temperature: 0.5, reasoning: 'low' }, retries: 0 },
          act: { parallel: 1 },
          before: [note('Hum.'), note('Think of otters.')],
        }),
      }),
    { tools: { search }, steps },
  )

  expect(trace).toContain('limitReached iterations 2/2')
})

it('takes any step for a backend', async () => {
  await expectSame(
    `
    tools: { find: search }
    backend:
      inOrder:
        - limit: { toolCalls: 4 }
        - think
        - act: { timeoutMs: 100 }
        - textAnswer
    `,
    (model) =>
      agent({
        name: 'a',
        model,
        tools: { find: search },
        backend: inOrder(limit({ toolCalls: 4 }), think(), act({ timeoutMs: 100 }), textAnswer()),
      }),
    { tools: { search } },
  )
})

it('takes several models, which replace each other', async () => {
  const models = { broken: scriptedModel(new Error('No.')), whole: scriptedModel('Fine.') }
  const config: Config = { interleave: 1, agents: { a: { model: ['broken', 'whole'] } } }

  const { a } = loadAgents(config, registry({ models }))

  expect(await a?.start('Go').settled).toMatchObject({ type: 'answer', output: 'Fine.' })
})

it('keeps the config that an agent came from', () => {
  const models = { fast: scriptedModel() }
  const config: Config = { interleave: 1, agents: { a: { model: 'fast', version: '7' } } }

  const { a } = loadAgents(JSON.stringify(config), registry({ models }))

  expect(a).toMatchObject({ name: 'a', version: '7' })
  expect(configOf(a as Agent)).toEqual(config)
  expect(configOf(agent({ name: 'a', model: models.fast }))).toBeUndefined()
})

it('lets agents of one config refer to each other, and to agents in code', async () => {
  const writer = agent({ name: 'writer', model: scriptedModel('Written.') })
  const run = declared(
    ({ agent }) => z.strictObject({ agent }),
    ({ agent }): Step =>
      async () =>
        agent.start('Go').settled,
  )
  const known = registry({ models: { fast: scriptedModel() }, agents: { writer }, steps: { run } })

  const loaded = loadAgents(
    `
    interleave: 1
    agents:
      first: { model: fast, backend: { run: { agent: second } } }
      second: { model: fast, backend: { run: { agent: writer } } }
    `,
    known,
  )

  expect(Object.keys(loaded)).toEqual(['first', 'second'])
  expect(await loaded.first?.start('Go').settled).toMatchObject({ output: 'Written.' })
})

it('resumes a run after the agent was loaded again', async () => {
  const pay = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'Paid.' })
  const turns = [{ calls: [{ name: 'pay', input: {} }] }, 'It is paid.']
  const text = 'interleave: 1\nagents: { a: { model: fast, tools: [pay] } }'
  const load = (fast: ScriptedModel) => loadAgents(text, registry({ models: { fast }, tools: { pay } })).a as Agent
  const before = load(scriptedModel(...turns)).start('Pay')
  await before.settled

  const after = await load(scriptedModel(turns[1] as string)).resume(savedRun(JSON.parse(JSON.stringify(before.log))))
  await after.reply(after.state.asks[0]?.id ?? '', { approved: true })

  expect(await after.settled).toMatchObject({ type: 'answer', output: 'It is paid.' })
})

it('keeps runs of one agent apart', async () => {
  const fast = scriptedModel('One.', 'Two.', 'Three.')
  const { a } = loadAgents('interleave: 1\nagents: { a: { model: fast } }', registry({ models: { fast } }))

  const signals = await Promise.all([a, a, a].map((each) => each?.start('Go').settled))

  expect(signals.map((signal) => signal?.type === 'answer' && signal.output)).toEqual(['One.', 'Two.', 'Three.'])
})

it('does not see what happens to the data afterwards', () => {
  const config = { interleave: 1, agents: { a: { model: 'fast' } } }
  const { a } = loadAgents(config, registry({ models: { fast: scriptedModel() } }))

  config.agents.a.model = 'slow'

  expect(configOf(a as Agent)?.agents.a).toEqual({ model: 'fast' })
})

it('reports the first mistakes of very many, and the number of the others', () => {
  const fields = Array.from({ length: 1_000 }, (_, n) => `    ${'x'.repeat(n === 0 ? 900 : 1)}${n}: 1`).join('\n')
  let message = ''
  try {
    loadAgents(`interleave: 1\nagents:\n  a:\n${fields}`, registry({}))
  } catch (error) {
    message = (error as Error).message
  }

  const lines = message.split('\n')
  expect(lines).toHaveLength(22)
  expect([lines[0], lines[21]]).toEqual(['The config has 1000 mistakes:', '- and 980 more.'])
  expect(message.length).toBeLessThan(20_000)
})
