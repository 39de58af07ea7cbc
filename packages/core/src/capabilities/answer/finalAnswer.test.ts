import { laws } from '@interleave/test-kit/laws'
import { finishPart } from '@interleave/test-kit/providerParts'
import { resumedEverywhere } from '@interleave/test-kit/resumedEverywhere'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { openCalls } from '../../history/index.ts'
import { agent, answer, finalAnswer, reasonAct, type Schema, type Step, textAnswer, tool } from '../../index.ts'
import { inOrder } from '../../step.ts'

const final = (input: unknown) => ({ name: 'final_answer', input })
const noop = tool({ inputSchema: z.object({}), execute: () => 'ok' })

function start<T = string>(turns: readonly ScriptedTurn[], { stop, output }: { stop?: Step; output?: Schema<T> } = {}) {
  const model = scriptedModel(...turns)
  const described = agent<T>({
    name: 'a',
    model,
    tools: { noop },
    ...(output && { output: answer(output) }),
    ...(stop && { backend: reasonAct({ stop }) }),
  })
  return { run: described.start('Go', { observers: [laws()] }), model }
}

it.each<[string, Schema, unknown, unknown]>([
  ['an object', z.object({ n: z.number() }), { n: 1 }, { n: 1 }],
  ['a number', z.number(), { answer: 5 }, 5],
  ['a list', z.array(z.string()), { answer: ['a'] }, ['a']],
  [
    'one of two shapes',
    z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    { answer: { b: 'x' } },
    { b: 'x' },
  ],
  ['what the schema makes of it', z.object({ n: z.coerce.number() }), { n: '5' }, { n: 5 }],
])('takes %s for the answer', async (_, output, input, expected) => {
  const { run } = start([{ calls: [final(input)] }], { output })

  expect(await run.settled).toEqual({ type: 'answer', output: expected, reason: 'finalAnswer' })
})

it('tells the model of the tool, with the schema of the answer', async () => {
  const { run, model } = start([{ calls: [final({ answer: 5 })] }], { output: z.number() })
  await run.settled

  expect(model.calls[0]?.tools).toContainEqual(
    expect.objectContaining({
      name: 'final_answer',
      inputSchema: expect.objectContaining({ properties: { answer: { type: 'number' } }, required: ['answer'] }),
    }),
  )
})

it('keeps the definitions of the answer where its references look for them', async () => {
  interface Tree {
    readonly children: readonly Tree[]
  }
  const tree: z.ZodType<Tree> = z.object({ children: z.array(z.lazy(() => tree)) })
  const { run, model } = start([{ calls: [final({ answer: [{ children: [] }] })] }], { output: z.array(tree) })
  await run.settled

  const [, told] = model.calls[0]?.tools ?? []
  const schema = told?.type === 'function' ? told.inputSchema : {}
  const [reference = ''] = /#\/definitions\/\w+/.exec(JSON.stringify(schema.properties)) ?? []
  expect(Object.keys(schema.definitions ?? {})).toContain(reference.split('/').at(-1))
})

it.each<[unknown, RegExp]>([
  [{ n: 'x' }, /n: .*Call final_answer again/],
  ['{"n":', /not usable JSON/],
  [{}, /n: /],
])('sends %j back with the problem', async (input, message) => {
  const { run, model } = start([{ calls: [final(input)] }, { calls: [final({ n: 1 })] }], {
    output: z.object({ n: z.number() }),
  })

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  expect(model.calls[1]?.prompt.at(-1)).toMatchObject({
    content: [{ output: { type: 'error-text', value: expect.stringMatching(message) } }],
  })
})

it('runs the other calls of the last turn before it settles', async () => {
  const { run } = start([{ calls: [{ name: 'noop', input: {} }, final({ n: 1 })] }], {
    output: z.object({ n: z.number() }),
  })

  await run.settled

  expect(run.state.history.flat().at(-1)).toMatchObject({
    calls: [{ result: { value: 'ok' } }, { result: { value: 'Accepted.' } }],
  })
})

it('leaves no call open when the model answers twice at once', async () => {
  const { run, model } = start([{ calls: [final({ n: 1 }), final({ n: 2 })] }, { calls: [final({ n: 3 })] }], {
    output: z.object({ n: z.number() }),
  })

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  await run.say('And now?')

  expect(await run.settled).toMatchObject({ output: { n: 3 } })
  expect(model.calls).toHaveLength(2)
})

it('reminds a model that only talks', async () => {
  const { run, model } = start(['Let me see.', { calls: [final({ n: 1 })] }], { output: z.object({ n: z.number() }) })

  expect(await run.settled).toMatchObject({ output: { n: 1 } })
  expect(model.calls[1]?.prompt.at(-1)).toEqual({
    role: 'user',
    content: [{ type: 'text', text: 'You are not done. Go on, or call final_answer if you have the final answer.' }],
  })
})

it('reminds until the limit, not for ever', async () => {
  const { run } = start(
    Array.from({ length: 30 }, () => 'Hm.'),
    { output: z.object({ n: z.number() }) },
  )

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'iterations', used: 20 })
})

it('gives a text where the agent has no output', async () => {
  const { run } = start([{ calls: [{ name: 'done', input: { answer: 'Five.' } }] }], {
    stop: finalAnswer({ name: 'done' }),
  })

  expect(await run.settled).toMatchObject({ output: 'Five.', reason: 'finalAnswer' })
})

it.each<[string, ScriptedTurn, string]>([
  ['text', 'Five.', 'text'],
  ['the tool', { calls: [final({ answer: 'Five.' })] }, 'finalAnswer'],
])('ends by whichever of two rules comes first: %s', async (_, turn, reason) => {
  const { run } = start([turn], { stop: inOrder(finalAnswer(), textAnswer()) })

  expect(await run.settled).toEqual({ type: 'answer', output: 'Five.', reason })
})

it('takes all text of a turn without calls for the answer', async () => {
  const { run } = start([
    { text: 'I look.', calls: [{ name: 'noop', input: {} }] },
    { reasoning: 'Hm.', text: 'Five it is.' },
  ])

  expect(await run.settled).toEqual({ type: 'answer', output: 'Five it is.', reason: 'text' })
})

it('fails where the provider withheld the answer', async () => {
  const { run } = start([[finishPart('content-filter')]])

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_filtered' } })
})

it('has a type of its own, which goes before that of the agent', async () => {
  const stop = finalAnswer({ name: 'done', output: z.object({ n: z.number() }) })
  const { run, model } = start([{ calls: [{ name: 'done', input: { answer: '{"n":1}' } }] }], { stop })

  expect(await run.settled).toEqual({ type: 'answer', output: { n: 1 }, reason: 'finalAnswer' })
  expect(model.calls[0]?.tools).toContainEqual(
    expect.objectContaining({ name: 'done', inputSchema: expect.objectContaining({ required: ['n'] }) }),
  )
})

it.each<[string, unknown, string]>([
  ['a text', '"Five."', 'Five.'],
  ['a text that is no JSON', 'It is five.', 'It is five.'],
  ['the input as text', JSON.stringify('{"answer":"Five."}'), 'Five.'],
])('takes %s for a text answer', async (_, input, output) => {
  const { run } = start([{ calls: [final(input)] }], { stop: finalAnswer() })

  expect(await run.settled).toMatchObject({ output, reason: 'finalAnswer' })
})

it.each(['{"answer":"Fi', { answer: { n: 1 } }])('never makes a text answer of %j', async (input) => {
  const { run } = start([{ calls: [final(input)] }, { calls: [final({ answer: 'Five.' })] }], { stop: finalAnswer() })

  expect(await run.settled).toMatchObject({ output: 'Five.' })
})

it('points references to the root of a schema to its position', async () => {
  interface Tree {
    readonly [name: string]: Tree | string
  }
  const tree: z.ZodType<Tree | string> = z.union([
    z.string(),
    z.record(
      z.string(),
      z.lazy(() => tree),
    ),
  ])
  const { run, model } = start([{ calls: [final({ answer: { a: { b: 'c' } } })] }], { output: tree })
  await run.settled

  const told = model.calls[0]?.tools?.find(({ name }) => name === 'final_answer')
  expect(JSON.stringify(told)).not.toContain('"$ref":"#"')
})

const bothOf = [finalAnswer({ name: 'a' }), finalAnswer({ name: 'b' })] as const
it.each([
  ['one order', inOrder(...bothOf), 'A'],
  ['the other', inOrder(bothOf[1], bothOf[0]), 'B'],
])('leaves no call of another rule open, in %s', async (_, stop, output) => {
  const both = ['a', 'b'].map((name) => ({ name, input: { answer: name.toUpperCase() } }))
  const { run } = start([{ calls: both }, { calls: [{ name: 'a', input: { answer: 'C' } }] }], { stop })

  expect(await run.settled).toMatchObject({ output })
  expect(openCalls(run.state)).toEqual([])
  await run.say('And now?')

  expect(await run.settled).toMatchObject({ output: 'C' })
})

it('leaves no call open that a rule of the app spoke before', async () => {
  const enough: Step = ({ state }) =>
    state.iteration === 1 ? { type: 'answer', output: 'Enough.', reason: 'completed' } : undefined
  const { run } = start([{ calls: [final({ answer: 'A' })] }], { stop: inOrder(enough, finalAnswer()) })

  expect(await run.settled).toMatchObject({ output: 'Enough.' })
  expect(openCalls(run.state)).toEqual([])
})

it('asks the next rule when the answer to one does not fit', async () => {
  const stop = inOrder(finalAnswer({ name: 'a', output: z.number() }), finalAnswer({ name: 'b' }))
  const both = ['a', 'b'].map((name) => ({ name, input: { answer: 'Five.' } }))
  const { run } = start([{ calls: both }], { stop })

  expect(await run.settled).toMatchObject({ output: 'Five.' })
  expect(run.state.history.flat().at(-1)).toMatchObject({ calls: [{ error: { code: 'tool_input_invalid' } }, {}] })
})

it.each([
  [
    'two rules with one name',
    () => start([], { stop: inOrder(finalAnswer(), finalAnswer()) }),
    /two tools "final_answer"/,
  ],
  ['a tool of that name', () => start([], { stop: finalAnswer({ name: 'noop' }) }), /Rename one/],
  ['a name that providers refuse', () => finalAnswer({ name: 'final answer' }), /providers refuse/],
])('refuses %s', (_, make, message) => {
  expect(make).toThrow(message)
})

it('keeps an answer over a reload at any moment, also when it is accepted and the run does not rest yet', async () => {
  const output = z.object({ n: z.number() })
  const turns = [{ calls: [final({ n: 'x' })] }, { calls: [final({ n: 1 }), final({ n: 2 })] }]
  const ends = await resumedEverywhere(turns, (model) => agent({ name: 'a', model, output: answer(output) }))

  expect(ends.length).toBeGreaterThan(6)
  for (const { signal } of ends) expect(signal).toEqual({ type: 'answer', output: { n: 1 }, reason: 'finalAnswer' })
})
