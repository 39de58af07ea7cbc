import { agent, elsewhere, isAgentError, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { checkConfig, declared, loadAgents, type Problem, registry } from './index.ts'

const ratio = z.strictObject({ ratio: z.number().min(0.1).max(1).optional() })
const known = registry({
  models: { fast: scriptedModel(), careful: scriptedModel() },
  tools: {
    search: tool({ inputSchema: z.object({}), execute: elsewhere() }),
    add: tool({ inputSchema: z.object({}), execute: elsewhere() }),
  },
  steps: { shrink: declared(ratio, () => () => undefined) },
  agents: { writer: agent({ name: 'writer', model: scriptedModel() }) },
})

const told = ({ path, message, line, column }: Problem): string =>
  `${path}${line === undefined ? '' : ` ${line}:${column}`} ${message}`
const problems = (source: unknown): string[] => checkConfig(source, known).map(told)
const ofAgent = (fields: string): string[] =>
  problems(`interleave: 1\nagents:\n  a:\n    ${fields}\n${fields.startsWith('model') ? '' : '    model: fast'}`)

it('reports all mistakes at once, each with its path and position', () => {
  const text = `
interleave: 1
agents:
  planner:
    model: fst
    tools: [search, serch]
    instruction: Be brief.
    version: 2
    backend:
      reasonAct:
        limits: { iterations: 0, seconds: 3 }
        before:
          - remind
          - shrink: { raito: 0.5 }
          - shrink: { ratio: "0.5" }
  writer:
    model: [fast, careful, slow]
`

  const brief = problems(text).map((problem) => problem.replace(/ Known here: .*$/, ''))
  expect(brief.join('\n')).toMatchInlineSnapshot(`
    "agents.planner.model 5:5 There is no "fst". Did you mean "fast"?
    agents.planner.tools[1] 6:21 There is no "serch". Did you mean "search"?
    agents.planner.instruction 7:5 There is no "instruction". Did you mean "instructions"?
    agents.planner.version 8:5 Expected a text, but this is 2. Put it in quotes: "2".
    agents.planner.backend.reasonAct.limits.iterations 11:19 This is 0. Use more than 0.
    agents.planner.backend.reasonAct.limits.seconds 11:34 There is no "seconds".
    agents.planner.backend.reasonAct.before[1].shrink.raito 14:23 There is no "raito". Did you mean "ratio"?
    agents.planner.backend.reasonAct.before[2].shrink.ratio 15:23 Expected a number, but this is "0.5". Write it without quotes.
    agents.writer 16:3 The registry has an agent of this name. Choose another one.
    agents.writer.model[2] 17:28 There is no "slow"."
  `)
})

it('throws them as one error', () => {
  const load = () => loadAgents('interleave: 1\nagents: { a: { model: fst }, b: { model: slow } }', known)

  expect(load).toThrow(
    expect.toSatisfy(
      (error) => isAgentError(error) && error.code === 'config_invalid' && error.message.includes('2 mistakes'),
    ),
  )
})

it.each<[string, string]>([
  ['tools: [search', '5:5 Flow sequence in block collection must be sufficiently indented and end with a ].'],
  ['tools: search', 'agents.a.tools 4:5 Expected a list or fields with values, but this is "search".'],
  ['tools: { find: serch }', 'agents.a.tools.find 4:14 There is no "serch". Did you mean "search"?'],
  [
    'instructions:',
    'agents.a.instructions 4:5 Expected a text or fields with values, but this is empty. Give a value,',
  ],
  ['model: [fast,]\n    version: 010', 'agents.a.version 5:5 Expected a text, but this is 10. Put it in quotes: "10".'],
  ['model:', 'agents.a.model 4:5 Expected one of fast, careful, textMode or fields with values or a list, but'],
  ['version: ""', 'agents.a.version 4:5 This text has 0 characters. Give it at least 1.'],
  ['model: []', 'agents.a.model 4:5 This list has 0 items. Give it at least 1.'],
  ['backend: {}', 'agents.a.backend 4:5 Give one step by its name, with its options below the name.'],
  ['backend: { textAnswer: {}, remind: {} }', 'agents.a.backend 4:5 Give one step by its name,'],
  [
    'backend: { textanswer: {} }',
    'agents.a.backend.textanswer 4:16 There is no "textanswer". Did you mean "textAnswer"?',
  ],
  ['backend: reasonact', 'agents.a.backend 4:5 There is no "reasonact". Did you mean "reasonAct"?'],
  ['backend: inOrder', 'agents.a.backend 4:5 inOrder needs options. Write `inOrder:`, and the options below it.'],
  ['backend: { limit: }', 'agents.a.backend.limit 4:16 Expected fields with values, but this is empty.'],
  ['backend: { finalAnswer: { name: "a b" } }', 'agents.a.backend.finalAnswer 4:16 finalAnswer() has a name that'],
  [
    'backend: { reasonAct: { limits: { limit: { ms: x } } } }',
    'limits.limit.ms 4:48 Expected a number, but this is "x"',
  ],
  ['backend: { reasonAct: { limits: { mss: 1 } } }', 'limits.mss 4:39 There is no "mss". Did you mean "ms"?'],
  ['backend: { reasonAct: { limits: 5 } }', 'limits 4:29 Expected fields with values or one of reasonAct, '],
  ['backend: { inOrder: [think, [act]] }', 'agents.a.backend.inOrder[1] 4:33 Expected one of reasonAct, '],
  ['backend: { shrink: { ratio: 0 } }', 'agents.a.backend.shrink.ratio 4:26 This is 0. Use at least 0.1.'],
  ['output: text', 'agents.a.output 4:5 Expected fields with values, but this is "text".'],
  ['output: { type: objct }', 'agents.a.output 4:5 This JSON Schema cannot be used: Unsupported type: objct.'],
  ['output: { properties: { a: {} } }', 'agents.a.output 4:5 A schema with properties needs `type: object`'],
  ['output: { type: array, items: { items: {} } }', 'agents.a.output.items 4:28 A schema with properties needs'],
  ['<<: { version: one }', 'agents.a["<<"] 4:5 There is no "<<". Here it is not read: YAML 1.2 merges no maps.'],
  ['max_iterations: 10', 'agents.a.max_iterations 4:5 There is no "max_iterations". Here it is `limits` of reasonAct:'],
  ['output: { type: object, required: [a] }', 'agents.a.output 4:5 "a" is required but not a property.'],
  ['output: { enum: [[1]] }', 'agents.a.output 4:5 Only strings, numbers, true, false and null can be'],
  ['prices: { gpt: { input: 1 } }', 'agents.a.prices.gpt.output 4:15 This is missing. Give a number.'],
  ['"two words": 1', 'agents.a["two words"] 4:5 There is no "two words".'],
  ['prices: { gpt: { input: -1, output: 0 } }', 'agents.a.prices.gpt.input 4:22 This is -1. Use at least 0.'],
])('says of `%s` what to write instead', (fields, expected) => {
  expect(ofAgent(fields)).toEqual([expect.stringContaining(expected)])
})

it('comes to an end with data that has none', () => {
  const config: Record<string, unknown> = { interleave: 1 }
  Object.assign(config, { one: config, other: config, agents: { a: config } })
  const wide = { interleave: 1, agents: Array.from({ length: 200_000 }, () => 1) }

  expect(problems(config)).toHaveLength(50)
  expect(problems(config)[0]).toContain('This is nested deeper than 64 levels.')
  expect(problems(wide)).toEqual([expect.stringContaining('This holds more than 100000 values.')])
})

it('omits what is undefined', () => {
  expect(problems({ interleave: 1, agents: { a: { model: 'fast', output: undefined } } })).toEqual([])
  expect(problems({ interleave: 1, agents: { a: { model: [undefined] } } })).toEqual([
    expect.stringContaining('agents.a.model[0] This is not plain data (undefined).'),
  ])
})

it('takes Norway for a text', () => {
  expect(ofAgent('version: no')).toEqual([])
})

it.each<[string, unknown, string]>([
  ['nothing', '', 'It is empty.'],
  ['a text', 'Hello', 'A config begins with `interleave: 1`.'],
  ['no version', 'agents: {}', 'The version is missing. Begin with `interleave: 1`.'],
  ['a prototype', '{"interleave": 1, "agents": {"__proto__": {"model": "fast"}}}', 'agents.__proto__ 1:30 A key'],
  ['no number', 'interleave: 1\nagents: { a: { prices: .inf } }', 'agents.a.prices 2:16 JSON has no number Infinity'],
  ['what has no end', `{"interleave": ${'['.repeat(500)}${']'.repeat(500)}}`, 'This is nested deeper than 64 levels.'],
  ['a later version', '{"interleave": 3}', 'This config is of version 3, and this package knows versions up to 1.'],
  ['no version at all', 'interleave: one', 'Write the version as `interleave: 1`.'],
  [
    'an agent without a name',
    'interleave: 1\nagents: { "": { model: fast } }',
    'A name has to be a text that is not empty.',
  ],
  ['no agents', 'interleave: 1', 'agents 1:1 This is missing. Give fields with values.'],
  [
    'a field of its own',
    'interleave: 1\nagents: {}\nagent: {}',
    'agent 3:1 There is no "agent". Did you mean "agents"?',
  ],
  [
    'a model',
    { interleave: 1, agents: { a: { model: scriptedModel() } } },
    'agents.a.model.doStream This is not plain data',
  ],
  ['no config', undefined, 'There is no config: this is undefined.'],
  ['a file that was read as bytes', new Uint8Array(9), "Read the file as text: 'utf8'."],
  ['a promise', Promise.resolve(''), 'Await it first.'],
  ['a date', { interleave: 1, agents: { a: { version: new Date(0) } } }, 'agents.a.version This is not plain data'],
])('refuses %s', (_, source, expected) => {
  expect(problems(source).join('\n')).toContain(expected)
})

it('refuses agents that refer to each other in a ring, and reports it once', () => {
  const ask = declared(
    ({ agent }) => z.strictObject({ agent }),
    () => () => undefined,
  )
  const text = `
interleave: 1
agents:
  a: { model: fast, backend: { ask: { agent: b } } }
  b: { model: fast, backend: { ask: { agent: c } } }
  c: { model: fast, backend: { ask: { agent: b } } }
  d: { model: fast, backend: { ask: { agent: d } } }
`

  expect(checkConfig(text, registry({ models: { fast: scriptedModel() }, steps: { ask } })).map(told)).toEqual([
    'agents.c.backend.ask.agent 6:39 Agents cannot refer to each other in a ring: b → c → b.',
    'agents.d.backend.ask.agent 7:39 Agents cannot refer to each other in a ring: d → d.',
  ])
})

it('takes chains of agents, but none without end', () => {
  const ask = declared(
    ({ agent }) => z.strictObject({ agent }),
    () => () => undefined,
  )
  const chain = (length: number) =>
    Array.from({ length }, (_, i) => [`a${i}`, { model: 'fast', backend: { ask: { agent: `a${i + 1}` } } }] as const)
  const config = (length: number) => ({
    interleave: 1,
    agents: { ...Object.fromEntries(chain(length)), [`a${length}`]: { model: 'fast' } },
  })
  const mistakes = (length: number) =>
    checkConfig(config(length), registry({ models: { fast: scriptedModel() }, steps: { ask } })).map(told)

  expect(mistakes(40)).toEqual([])
  expect(mistakes(60)).toEqual(['agents.a49.backend.ask.agent More than 50 agents refer to each other in a row.'])
})

it('says where to add what the registry has none of', () => {
  expect(checkConfig({ interleave: 1, agents: { a: { model: 'fast' } } }, registry()).map(told)).toEqual([
    'agents.a.model There is no "fast". Known here: textMode. Your own go into registry({ models: { … } }).',
  ])
})

it('takes agents by names that objects have from elsewhere', () => {
  const text = '{"interleave": 1, "agents": {"constructor": {"model": "fast"}, "toString": {"model": "valueOf"}}}'

  expect(problems(text)).toEqual([expect.stringContaining('agents.toString.model 1:77 There is no "valueOf".')])
})

it('reports what went wrong when a step was created', () => {
  const steps = {
    itself: (() => undefined) as never,
    broken: () => {
      throw new TypeError('No.')
    },
  }
  const config = { interleave: 1, agents: { a: { model: 'fast', backend: { inOrder: ['itself', 'broken'] } } } }

  expect(checkConfig(config, registry({ models: { fast: scriptedModel() }, steps })).map(told)).toEqual([
    'agents.a.backend.inOrder[0] "itself" of the registry returned no step. Give a function that returns one.',
    'agents.a.backend.inOrder[1] Making broken failed: No.',
  ])
})

it('refuses a registry that cannot be meant', () => {
  expect(() => registry({ steps: { textAnswer: () => () => undefined } })).toThrow('Choose another name')
  expect(() => registry({ steps: { mine: {} as never } })).toThrow('Use declared(schema, make)')
  expect(() => registry({ models: { fast: undefined } as never })).toThrow(
    'The `models` of registry() have no value for "fast"',
  )
  expect(() => registry({ functions: { f: 'x' } as never })).toThrow('have no function for "f"')
  expect(() => registry({ step: {} } as never)).toThrow('registry() has no option `step`. Did you mean `steps`?')
})

it('reads a large config with mistakes everywhere in linear time, and lists a part of its names', () => {
  const agents = (count: number) => Array.from({ length: count }, (_, i) => `  a${i}: { model: fast, x: 1 }`).join('\n')
  const many = problems(`interleave: 1\nagents:\n${agents(8_000)}`)
  const tools = '{ x: { agentTool: { agent: zzzzzz, description: x } } }'
  const [unknown = ''] = problems(
    `interleave: 1\nagents:\n${agents(900)}\n  last: { model: fast, tools: ${tools} }`,
  ).slice(-1)

  expect(many).toHaveLength(8_000)
  expect(many.at(-1)).toContain('agents.a7999.x 8002:25')
  expect(unknown).toContain('a49 and 852 more.')
})
