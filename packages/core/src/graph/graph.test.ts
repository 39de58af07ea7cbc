import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Agent, agent, confirm, type Event, reasonAct, type Step, tool } from '../index.ts'
import { savedRun } from '../journal/index.ts'
import { inOrder, think } from '../steps/index.ts'
import { END, graph, position, router, untilAnswer, value } from './index.ts'

const answered = (output: string) => ({ type: 'answer', output, reason: 'text' }) as const
/** A node that writes down its visit and finishes. */
const logging =
  (log: string[], name: string, output?: string): Step =>
  () => {
    log.push(name)
    return output === undefined ? undefined : answered(output)
  }
const withBackend = (backend: Step, model = scriptedModel()): Agent<string> => agent({ name: 'a', model, backend })
const lawful = (past?: readonly Event[]) => ({ observers: [laws(past && structuredClone(past))] })

it('visits nodes along plain edges, and answers with what the last one answers', async () => {
  const log: string[] = []
  const line = graph({
    name: 'line',
    nodes: { a: logging(log, 'a', 'not this'), b: logging(log, 'b', 'this') },
    start: 'a',
    edges: { a: 'b', b: END },
  })

  const run = withBackend(line).start('Go', lawful())

  expect(await run.settled).toEqual(answered('this'))
  expect(log).toEqual(['a', 'b'])
})

it('goes where a router says, with the state that the visit left', async () => {
  const log: string[] = []
  const count = value('count', 0)
  const loop = graph({
    name: 'loop',
    nodes: { work: (run) => count.set(run, count.get(run) + 1), done: logging(log, 'done', 'ok') },
    start: 'work',
    edges: { work: router(['work', 'done'], async (run) => (count.get(run) < 3 ? 'work' : 'done')), done: END },
  })

  const run = withBackend(loop).start('Go', lawful())
  await run.settled

  expect(count.get(run)).toBe(3)
  expect(position(run.state, loop)).toEqual({ node: END, visits: 4 })
})

it('has nothing more to do at the end without an answer, and lets the steps behind it continue', async () => {
  const log: string[] = []
  const prepare = graph({ name: 'prepare', nodes: { a: logging(log, 'a') }, start: 'a', edges: { a: END } })
  const work = tool({ inputSchema: z.object({}), execute: () => 'done' })
  const model = scriptedModel({ calls: [{ name: 'work', input: {} }] }, 'Done.', 'Again.')
  const backend = reasonAct({ before: [prepare] })
  const run = agent({ name: 'a', model, tools: { work }, backend }).start('Go', lawful())

  expect(await run.settled).toMatchObject(answered('Done.'))
  await run.say('Again')
  expect(await run.settled).toMatchObject(answered('Again.'))

  expect(log).toEqual(['a', 'a'])
})

it('settles where a node settles, and continues in the same node', async () => {
  const log: string[] = []
  const ask: Step = async (run) => {
    log.push('ask')
    return (await run.ask('sure', confirm({ prompt: 'Sure?' }))) ? undefined : { type: 'stopped', reason: 'No.' }
  }
  const sure = graph({
    name: 'sure',
    nodes: { ask, done: logging(log, 'done', 'ok') },
    start: 'ask',
    edges: { ask: 'done', done: END },
  })
  const run = withBackend(sure).start('Go', lawful())
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: 'graph/sure/1/sure' }] })

  const after = await withBackend(sure).resume(savedRun(JSON.parse(JSON.stringify(run.log))))
  await after.reply('graph/sure/1/sure', true)

  expect(await after.settled).toMatchObject(answered('ok'))
  expect(log).toEqual(['ask', 'ask', 'done'])
})

it('passes on every signal but an answer', async () => {
  let fail = true
  const log: string[] = []
  const flaky: Step = () =>
    fail ? { type: 'failed', error: { code: 'model_failed', message: 'x', retryable: true } } : undefined
  const flow = graph({
    name: 'flow',
    nodes: { a: logging(log, 'a'), flaky },
    start: 'a',
    edges: { a: 'flaky', flaky: END },
  })
  const run = withBackend(inOrder(flow, () => answered('after'))).start('Go', lawful())
  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
  expect(position(run.state, flow)).toEqual({ node: 'flaky', visits: 2 })

  fail = false
  run.resume()

  expect(await run.settled).toEqual(answered('after'))
  expect(log).toEqual(['a'])
})

it('begins at the start with a new request, and asks a question of an earlier one again', async () => {
  const log: number[] = []
  const ask: Step = async (run) => {
    log.push(await run.once('number', () => log.length))
    return answered(`${await run.ask('sure', confirm({ prompt: 'Sure?' }))}`)
  }
  const flow = graph({ name: 'flow', nodes: { ask }, start: 'ask', edges: { ask: END } })
  const run = withBackend(flow).start('Go', lawful())
  await run.settled
  await run.reply('graph/flow/1/sure', true)
  expect(await run.settled).toEqual(answered('true'))

  await run.say('Again')

  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: 'graph/flow/2/sure' }] })
  await run.reply('graph/flow/2/sure', false)
  expect(await run.settled).toEqual(answered('false'))
  expect(log).toEqual([0, 1])
})

it('names the node and the graph in what a node throws, and keeps the position', async () => {
  const flow = graph({
    name: 'flow',
    nodes: { a: () => Promise.reject(new Error('Broken.')) },
    start: 'a',
    edges: { a: END },
  })
  const run = withBackend(flow).start('Go', lawful())

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: { code: 'step_failed', message: 'The node "a" of the graph "flow" failed: Broken.' },
  })
  expect(position(run.state, flow)).toEqual({ node: 'a', visits: 1 })
})

const cyclic: { self?: object } = {}
cyclic.self = cyclic

it.each<[string, () => unknown]>([
  ['The router of "a" in the graph "flow" failed: Lost.', () => Promise.reject(new Error('Lost.'))],
  ['The router of "a" in the graph "flow" chose "c", which is none of its targets: "b", "__end__".', () => 'c'],
  [
    'The router of "a" in the graph "flow" chose nothing, which is none of its targets: "b", "__end__".',
    () => undefined,
  ],
  [
    'The router of "a" in the graph "flow" chose a value of the type bigint, which is none of its targets: "b", "__end__".',
    () => 1n,
  ],
  [
    'The router of "a" in the graph "flow" chose a value of the type object, which is none of its targets: "b", "__end__".',
    () => cyclic,
  ],
])('fails with "%s"', async (message, choose) => {
  const flow = graph({
    name: 'flow',
    nodes: { a: () => undefined, b: () => undefined },
    start: 'a',
    edges: { a: router(['b', END], choose as () => 'b'), b: END },
  })
  const run = withBackend(flow).start('Go', lawful())

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'step_failed', message } })
  expect(position(run.state, flow)).toEqual({ node: 'a', visits: 1 })
})

it('asks whether to continue after so many visits, and continues from there', async () => {
  let visits = 0
  const loop = graph({
    name: 'loop',
    nodes: { a: () => void visits++ },
    start: 'a',
    edges: { a: router(['a', END], () => 'a') },
    visits: 3,
  })
  const run = withBackend(loop).start('Go', lawful())
  const signal = await run.settled
  expect(signal).toMatchObject({ type: 'limitReached', limit: 'visits', used: 3, allowed: 3, ask: { suggested: 3 } })

  await run.reply(run.state.asks[0]?.id ?? '', { extend: 2 })
  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 5, allowed: 5 })
  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })
  expect(await run.settled).toMatchObject({ type: 'stopped' })
  await run.say('Again')

  expect(await run.settled).toMatchObject({ type: 'limitReached', used: 3, allowed: 3 })
  expect(visits).toBe(8)
})

it('allows a thousand visits by default', async () => {
  const loop = graph({
    name: 'loop',
    nodes: { a: () => undefined },
    start: 'a',
    edges: { a: router(['a', END], () => 'a') },
  })

  expect(await withBackend(loop).start('Go').settled).toMatchObject({ type: 'limitReached', used: 1_000 })
})

it('continues with a reply after a reload at the limit', async () => {
  const count = value('count', 0)
  const loop = graph({
    name: 'loop',
    nodes: { count: (run) => count.set(run, count.get(run) + 1), a: () => answered('enough') },
    start: 'count',
    edges: { count: 'a', a: router(['count', END], (run) => (count.get(run) === 2 ? END : 'count')) },
    visits: 3,
  })
  const run = withBackend(loop).start('Go', lawful())
  await run.settled

  const after = await withBackend(loop).resume(savedRun(JSON.parse(JSON.stringify(run.log))), lawful(run.log))
  await after.reply(after.state.asks[0]?.id ?? '', { extend: 1 })

  expect(await after.settled).toEqual(answered('enough'))
})

it('stops in the middle of a visit, and resumes in it', async () => {
  const log: string[] = []
  let begun = (): void => {}
  const inTheMiddle = new Promise<void>((resolve) => {
    begun = resolve
  })
  const slow: Step = async (run) => {
    log.push('slow')
    begun()
    if (log.length < 3) await new Promise((resolve) => run.abortSignal.addEventListener('abort', resolve))
    return answered('slow')
  }
  const flow = graph({
    name: 'flow',
    nodes: { a: logging(log, 'a'), slow },
    start: 'a',
    edges: { a: 'slow', slow: END },
  })
  const run = withBackend(flow).start('Go', lawful())
  await inTheMiddle

  await run.stop('Enough.')
  expect(run.state.signal).toEqual({ type: 'stopped', reason: 'Enough.' })
  expect(position(run.state, flow)?.node).toEqual('slow')
  run.resume()

  expect(await run.settled).toEqual(answered('slow'))
  expect(log).toEqual(['a', 'slow', 'slow'])
})

it('is shared by runs that know nothing of each other', async () => {
  const count = value('count', 0)
  const loop = graph({
    name: 'loop',
    nodes: {
      a: async (run) => {
        await new Promise((resolve) => setTimeout(resolve))
        count.set(run, count.get(run) + 1)
        return answered(`${count.get(run)}`)
      },
    },
    start: 'a',
    edges: { a: router(['a', END], (run) => (count.get(run) < Number(run.state.runId) ? 'a' : END)) },
  })

  const runs = [3, 1, 2].map((id) => withBackend(loop).start('Go', { id: `${id}`, ...lawful() }))

  expect(await Promise.all(runs.map(({ settled }) => settled))).toEqual(['3', '1', '2'].map(answered))
})

it('is walked through with each visit if it is a node of another graph', async () => {
  const log: string[] = []
  const rounds = value('rounds', 0)
  const inner = graph({
    name: 'g',
    nodes: { x: logging(log, 'x'), y: logging(log, 'y') },
    start: 'x',
    edges: { x: 'y', y: END },
  })
  const outer = graph({
    name: 'g',
    nodes: { count: (run) => rounds.set(run, rounds.get(run) + 1), inner },
    start: 'count',
    edges: { count: 'inner', inner: router(['count', END], (run) => (rounds.get(run) < 2 ? 'count' : END)) },
  })
  const run = withBackend(inOrder(outer, () => answered('after'))).start('Go', lawful())

  await run.settled

  expect(log).toEqual(['x', 'y', 'x', 'y'])
  expect(Object.keys(run.state.notes)).toEqual(['graph/g', 'value/rounds', 'graph/g/node/inner/graph/g'])
})

it('refuses a second graph of the same name in the same host', async () => {
  const make = () => graph({ name: 'twin', nodes: { a: () => undefined }, start: 'a', edges: { a: END } })

  const signal = await withBackend(inOrder(make(), make())).start('Go').settled

  expect(signal).toMatchObject({
    type: 'failed',
    error: { code: 'graph_invalid', message: expect.stringMatching(/Two graphs.*"twin"/) },
  })
})

it('begins again when the user says something that no one receives before its answer', async () => {
  const log: string[] = []
  const a: Step = async ({ state }) => {
    log.push(state.pending.map(({ content }) => content).join())
    await undefined
    if (log.length === 1) void run.say('Two')
    return answered('ok')
  }
  const flow = graph({ name: 'flow', nodes: { a }, start: 'a', edges: { a: END } })
  const run = withBackend(flow).start('One', lawful())

  expect(await run.settled).toEqual(answered('ok'))
  expect(log).toEqual(['One', 'One,Two'])
})

it('tells all faults at once, with what to do about each', () => {
  const step: Step = () => undefined
  const broken = () =>
    graph({
      name: 'broken',
      nodes: { process: step, validate: step, retry: step, lost: 'text' as unknown as Step, '': step },
      start: 'first' as 'process',
      edges: { process: 'validate', validate: 'process', retry: 'retry', lost: [] as never, '': 'nowhere' as 'lost' },
    })

  expect(broken).toThrowError(
    expect.objectContaining({
      code: 'graph_invalid',
      message: `The graph "broken" cannot work:
  the node 'lost' is no step
  hint: give a step such as think(), a function of a run, or an agent
  a node has no name
  hint: name it after what it does
  the start 'first' is no node
  hint: start with one of [process, validate, retry, lost, ]
  an edge leads from '' to 'nowhere', which is no node
  hint: use END or one of [process, validate, retry, lost, ]
  cycle detected with no exit condition: [process, validate, process]
  hint: let a router() follow one of these nodes, with END or a node outside of the cycle among its targets
  self-loop detected on node 'retry' with no exit condition
  hint: use a router() instead of a plain edge for loops
  no edge leads on from [lost]
  hint: add an edge to another node, or to END where the graph is over`,
    }),
  )
})

it.each([
  [{ name: '' }, /needs a name/],
  [{ visits: 0 }, /visits: 0/],
  [{ visits: 1.5 }, /visits: 1.5/],
  [{ visits: Number.NaN }, /`visits` of graph\(\) must be a number/],
  [{ nodes: undefined }, /needs nodes and edges/],
])('refuses %j', (wrong, message) => {
  const options = { name: 'g', nodes: { a: () => undefined }, start: 'a', edges: { a: END }, ...wrong } as const

  expect(() => graph(options as never)).toThrowError(message)
})

it('is frozen, with its nodes and edges as plain data', () => {
  const flow = graph({
    name: 'flow',
    nodes: { a: () => undefined, b: untilAnswer(reasonAct()) },
    start: 'a',
    edges: { a: router(['a', 'b'], () => 'b'), b: END },
  })

  expect(JSON.parse(JSON.stringify({ ...flow }))).toEqual({
    name: 'flow',
    nodes: ['a', 'b'],
    start: 'a',
    edges: [
      { from: 'a', to: 'a', conditional: true },
      { from: 'a', to: 'b', conditional: true },
      { from: 'b', to: END, conditional: false },
    ],
    parallel: [],
    mayCall: false,
    ownModel: false,
  })
  expect([flow, flow.nodes, flow.edges, flow.edges[0]].every(Object.isFrozen)).toBe(true)
})

it('walks through nodes of awkward names', async () => {
  const names = ['__proto__', 'constructor', 'a/b', 'a b', '%2F', 'ä→😀']
  const log: string[] = []
  const nodes = Object.fromEntries(names.map((name) => [name, logging(log, name, name)]))
  const edges = Object.fromEntries(names.map((name, index) => [name, names[index + 1] ?? END]))
  const flow = graph({ name: 'a/b %', nodes, start: '__proto__', edges })

  const run = withBackend(flow).start('Go', lawful())

  expect(await run.settled).toEqual(answered('ä→😀'))
  expect(log).toEqual(names)
  expect(position(JSON.parse(JSON.stringify(run.state)), flow)).toEqual({ node: END, visits: 6 })
})

it('says so when the node of a run is gone', async () => {
  const rest: Step = () => ({ type: 'stopped', reason: 'x' })
  const before = graph({ name: 'flow', nodes: { old: rest }, start: 'old', edges: { old: END } })
  const after = graph({ name: 'flow', nodes: { new: rest }, start: 'new', edges: { new: END } })
  const run = withBackend(before).start('Go')
  await run.settled

  const resumed = await withBackend(after).resume(savedRun(run.log))
  resumed.resume()

  expect(await resumed.settled).toMatchObject({
    type: 'failed',
    error: { code: 'state_invalid', message: expect.stringMatching(/"old"/) },
  })
})

it('builds a deep graph, and walks it', async () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `n${n}`)
  const nodes = Object.fromEntries(names.map((name): [string, Step] => [name, () => answered(name)]))
  const edges = Object.fromEntries(names.map((name, n) => [name, names[n + 1] ?? END]))

  const deep = graph({ name: 'deep', nodes, start: 'n0', edges, visits: 2_000 })

  expect(await withBackend(deep).start('Go').settled).toEqual(answered('n1999'))
})

it('needs no model where only its agents think, and says so where another step asks one', async () => {
  const poet = agent({ name: 'poet', model: scriptedModel('Roses.', 'Violets.') })
  const poem = (write: Step | Agent) =>
    graph({
      name: 'poem',
      nodes: { begin: () => undefined, write },
      start: 'begin',
      edges: { begin: 'write', write: END },
    })

  const alone = agent({ name: 'alone', backend: poem(poet) }).start('Write', lawful())
  const hidden = agent({ name: 'hidden', backend: poem(think()) }).start('Write', lawful())

  expect(await alone.settled).toMatchObject(answered('Roses.'))
  expect(() => agent({ name: 'lacking', backend: poem(untilAnswer(reasonAct())) })).toThrow('needs a model')
  expect(await hidden.settled).toMatchObject({
    type: 'failed',
    error: { message: expect.stringContaining('Give it one') },
  })
})
