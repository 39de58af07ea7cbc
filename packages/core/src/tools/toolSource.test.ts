import { eventually } from '@interleave/test-kit/eventually'
import { laws } from '@interleave/test-kit/laws'
import { manualHost, type ScriptedModel, type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { expect, it, onTestFinished, vi } from 'vitest'
import { z } from 'zod'
import { route } from '../agents/index.ts'
import { END, graph, untilAnswer } from '../graph/index.ts'
import { agent, approval, choice, reasonAct, type Step, type ToolSet, tool } from '../index.ts'
import { memoryJournal } from '../journal/index.ts'
import type { ToolSource } from '../run.ts'
import { forceAction, limitCalls } from '../steps/index.ts'
import { bundle, pinned, pinsOf, toolSource } from './index.ts'

const says = (text: string, more: object = {}) =>
  tool({ description: `Says ${text}.`, inputSchema: z.object({}), execute: () => text, ...more })
const calling = (...names: string[]) => ({ calls: names.map((name) => ({ name, input: {} })) })
const namesOf = (model: ScriptedModel) => model.calls.map(({ tools = [] }) => tools.map(({ name }) => name))

/** A source whose tools a test changes. */
function changing(tools: ToolSet) {
  const state = { tools, reads: 0, error: undefined as Error | undefined, followers: 0 }
  const source = toolSource({
    async current() {
      state.reads++
      if (state.error) throw state.error
      return state.tools
    },
    follow() {
      state.followers++
      return () => void state.followers--
    },
  })
  return Object.assign(state, { source })
}

it('reads the tools before each turn, adds new ones at the end, and has their names in the log', async () => {
  const [b, own] = [says('b'), says('own')]
  const world = changing({ b })
  const grow = tool({
    inputSchema: z.object({}),
    execute: () => {
      world.tools = { a: says('a'), b }
      return 'grown'
    },
  })
  const model = scriptedModel(calling('grow'), calling('a'), 'Done.')
  const run = agent({ name: 'x', model, tools: [world.source, { own, grow }] }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model)).toEqual([
    ['own', 'grow', 'b'],
    ['own', 'grow', 'b', 'a'],
    ['own', 'grow', 'b', 'a'],
  ])
  const noted = run.log.flatMap((event) => (event.type === 'noted' ? [event.value] : []))
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/)
  expect(noted).toEqual([
    [['b', digest]],
    [
      ['b', digest],
      ['a', digest],
    ],
  ])
})

it('keeps the order of the log after a resume, though the source has another one', async () => {
  const journal = memoryJournal()
  const [a, b, c] = [says('a'), says('b'), says('c')]
  const world = changing({ b, a })
  const first = agent({ name: 'x', model: scriptedModel('One.'), tools: world.source })
  const run = first.start('Go', { journal, observers: [laws()] })
  await run.settled
  const model = scriptedModel('Two.')
  const second = agent({ name: 'x', model, tools: changing({ a, c, b }).source })

  const resumed = await second.resume(run.id, { journal })
  await resumed.say('More')
  await resumed.settled

  expect(namesOf(model)).toEqual([['b', 'a', 'c']])
})

it('tells the model of a call whose tool is gone', async () => {
  const journal = memoryJournal()
  const asks = tool({
    inputSchema: z.object({}),
    execute: (_, { ask }) => ask(choice({ prompt: '?', options: ['a'] })),
  })
  const run = agent({ name: 'x', model: scriptedModel(calling('asks')), tools: changing({ asks }).source }).start(
    'Go',
    {
      journal,
    },
  )
  expect(await run.settled).toMatchObject({ type: 'inputNeeded' })
  const model = scriptedModel('I see.')

  const resumed = await agent({ name: 'x', model, tools: changing({ b: says('b') }).source }).resume(run.id, {
    journal,
  })

  await eventually(() => expect(resumed.state.signal).toMatchObject({ output: 'I see.' }))
  expect(resumed.state.asks).toEqual([])
  expect(JSON.stringify(model.calls[0]?.prompt)).toContain('There is no tool \\"asks\\". The tools are: b.')
})

it('continues an open call of a tool of a source after a resume', async () => {
  const journal = memoryJournal()
  const make = () => changing({ pay: says('paid', { approve: approval() }) }).source
  const run = agent({ name: 'x', model: scriptedModel(calling('pay')), tools: make() }).start('Go', { journal })
  await run.settled

  const again = agent({ name: 'x', model: scriptedModel('Done.'), tools: make() })
  const resumed = await again.resume(run.id, { journal })
  await resumed.settled
  await resumed.reply('1/tool/0/approval', { approved: true })

  expect(await resumed.settled).toMatchObject({ output: 'Done.' })
  expect(resumed.log.filter(({ type }) => type === 'asked')).toHaveLength(1)
  expect(JSON.stringify(resumed.state.history)).toContain('paid')
})

it.each(['in the process', 'after a resume', 'on a page without HTTPS'])(
  'asks again if a tool changes while its approval is open, %s',
  async (how) => {
    const insecure = { getRandomValues: crypto.getRandomValues.bind(crypto) }
    if (how === 'on a page without HTTPS') vi.stubGlobal('crypto', insecure)
    onTestFinished(() => void vi.unstubAllGlobals())
    const journal = memoryJournal()
    const world = changing({ pay: says('paid', { approve: approval() }) })
    const described = agent({ name: 'x', model: scriptedModel(calling('pay'), 'Done.'), tools: world.source })
    let run = described.start('Go', { journal, observers: [laws()] })
    await run.settled
    world.tools = { pay: says('all that you have', { approve: approval() }) }
    if (how === 'after a resume') run = await described.resume(run.id, { journal })
    else await run.reply('1/tool/0/approval', { approved: true })
    const prompt = 'pay has changed since it was called. Allow pay?'
    await eventually(() => expect(run.state.asks).toMatchObject([{ prompt }]))

    expect(run.log.some(({ type }) => type === 'claimed')).toBe(false)
    await run.reply(run.state.asks[0]?.id ?? '', { approved: true })
    expect(await run.settled).toMatchObject({ output: 'Done.' })
    expect(JSON.stringify(run.state.history)).toContain('all that you have')
  },
)

it('runs nothing of a tool that goes away while its approval is open', async () => {
  const world = changing({ pay: says('paid', { approve: approval() }) })
  const model = scriptedModel(calling('pay'), 'Done.')
  const run = agent({ name: 'x', model, tools: world.source }).start('Go', { observers: [laws()] })
  await run.settled
  world.tools = {}
  await run.reply('1/tool/0/approval', { approved: true })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(run.log.some(({ type }) => type === 'claimed')).toBe(false)
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('There is no tool')
})

it('asks again, and ends at last, if a tool is another one each time', async () => {
  let count = 0
  const source = toolSource({ current: () => ({ pay: says(`${count++}`, { approve: approval() }) }) })
  const model = scriptedModel(calling('pay'), 'Done.')
  const run = agent({ name: 'x', model, tools: source }).start('Go', { observers: [laws()] })
  while ((await run.settled).type === 'inputNeeded') await run.reply(run.state.asks[0]?.id ?? '', { approved: true })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(model.calls[1]?.prompt)).toContain('changes again and again')
})

it('waits with the first turn until the tools are there', async () => {
  let arrive = (_: ToolSet): void => {}
  const arriving = new Promise<ToolSet>((resolve) => {
    arrive = resolve
  })
  const model = scriptedModel(calling('late'), 'Done.')
  const run = agent({ name: 'x', model, tools: toolSource({ current: () => arriving }) }).start('Go', {
    observers: [laws()],
  })
  expect(model.calls).toHaveLength(0)
  arrive({ late: says('late') })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model)[0]).toEqual(['late'])
})

it('fails when the tools cannot be read, and continues once they can', async () => {
  const world = changing({ a: says('a') })
  world.error = new Error('The server is asleep')
  const model = scriptedModel(calling('a'), 'Done.')
  const run = agent({ name: 'x', model, tools: world.source }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({
    type: 'failed',
    error: {
      code: 'tools_unavailable',
      retryable: true,
      message: 'The tools of the agent "x" cannot be read: The server is asleep. Continue the run with resume().',
    },
  })
  expect(world.followers).toBe(0)
  world.error = undefined
  run.resume()
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('waits for the tools no longer than 30 seconds, and then says so', async () => {
  const host = manualHost()
  const source = toolSource({ current: () => new Promise<ToolSet>(() => {}) })
  const run = agent({ name: 'x', model: scriptedModel(), tools: source }).start('Go', { host, observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve))
  await host.advance(29_999)
  expect(run.state.signal).toBeUndefined()
  await host.advance(1)

  expect(await run.settled).toMatchObject({
    error: { message: expect.stringContaining('took longer than 30000 ms') },
  })
})

it('waits for the tools as long as a source says', async () => {
  const host = manualHost()
  const late = (): Promise<ToolSet> => new Promise((resolve) => void host.timer(3_600_000, () => resolve({})))
  const tools = [
    toolSource({ current: late, timeoutMs: Number.POSITIVE_INFINITY }),
    toolSource({ current: () => ({}) }),
  ]
  const run = agent({ name: 'x', model: scriptedModel('Done.'), tools }).start('Go', { host, observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve))
  await host.advance(3_600_000)

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('reads the tools again after a reading that does not end', async () => {
  const host = manualHost()
  let reads = 0
  const current = () => (++reads === 1 ? new Promise<ToolSet>(() => {}) : { a: says('a') })
  const model = scriptedModel(calling('a'), 'Done.')
  const run = agent({ name: 'x', model, tools: toolSource({ current }) }).start('Go', { host, observers: [laws()] })
  await new Promise((resolve) => setTimeout(resolve))
  await host.advance(30_000)
  expect(await run.settled).toMatchObject({ error: { code: 'tools_unavailable' } })
  run.resume()

  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it('takes no tools of a reading that ends after a later one', async () => {
  const host = manualHost()
  const answers: ((tools: ToolSet) => void)[] = []
  const source = toolSource({ current: () => new Promise<ToolSet>((resolve) => answers.push(resolve)) })
  const model = scriptedModel(calling('b'), 'Done.')
  const run = agent({ name: 'x', model, tools: source }).start('Go', { host })
  await new Promise((resolve) => setTimeout(resolve))
  await host.advance(30_000)
  await run.settled
  run.resume()
  await eventually(() => expect(answers).toHaveLength(2))
  answers[1]?.({ b: says('b') })
  answers[0]?.({ a: says('a') })
  await eventually(() => expect(answers).toHaveLength(3))
  answers[2]?.({ b: says('b') })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model)).toEqual([['b'], ['b']])
})

it('follows a source again that could not be followed once, and reports it', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const begun: number[] = []
  const follow = () => {
    begun.push(begun.length)
    if (begun.length === 1) throw new Error('busy')
    return (begun.length === 2 ? undefined : () => {}) as () => void
  }
  const model = scriptedModel('One.', 'Two.', 'Three.')
  const described = agent({ name: 'x', model, tools: toolSource({ current: () => ({}), follow }) })
  for (const _ of [1, 2, 3]) await described.start('Go').settled
  vi.unstubAllGlobals()

  expect(begun).toHaveLength(3)
  expect(reported.mock.calls.map(([{ message }]) => message)).toEqual(['busy', expect.stringContaining('`follow`')])
})

it('can be stopped while it waits for the tools', async () => {
  const source = toolSource({ current: () => new Promise<ToolSet>(() => {}) })
  const run = agent({ name: 'x', model: scriptedModel(), tools: source }).start('Go', { observers: [laws()] })
  await run.stop()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

it('has the tools that it read before, if a later turn cannot read them', async () => {
  const world = changing({ a: says('a') })
  const model = scriptedModel(calling('a'), 'Done.')
  const run = agent({ name: 'x', model, tools: world.source }).start('Go', { observers: [laws()] })
  run.subscribe(({ type }) => {
    if (type === 'claimed') world.error = new Error('It is gone.')
  })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model)).toEqual([['a'], ['a']])
})

it.each<[string, ToolSet, string]>([
  ['has a name twice', { own: says('other') }, 'There are two tools "own"'],
  ['has a name that providers refuse', { 'a b': says('b') }, 'a name that providers refuse'],
  ['gives no object', 5 as never, 'must return an object of tools by name'],
])('fails when a source %s', async (_, tools, words) => {
  const given = [{ own: says('own') }, changing(tools).source]
  const run = agent({ name: 'x', model: scriptedModel('x'), tools: given }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({
    error: { code: 'tools_unavailable', message: expect.stringContaining(words) },
  })
})

it('follows a source while runs work with it, and not while they wait', async () => {
  const world = changing({ pay: says('paid', { approve: approval() }) })
  const described = () => agent({ name: 'x', model: scriptedModel(calling('pay'), 'Done.'), tools: world.source })
  const followers: number[] = []
  const see = { observers: [() => void followers.push(world.followers)] }
  const runs = [described().start('Go', see), described().start('Go', see)]
  for (const run of runs) await run.settled
  expect([Math.max(...followers), world.followers]).toEqual([1, 0])

  for (const run of runs) await run.reply('1/tool/0/approval', { approved: true })
  for (const run of runs) expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(world.followers).toBe(0)
})

it.each<[string, (tools: ToolSource, ...turns: readonly ScriptedTurn[]) => Step]>([
  [
    'route',
    (tools, ...turns) => route({ agents: { x: agent({ name: 'inner', model: scriptedModel(...turns), tools }) } }),
  ],
  [
    'graph',
    (tools, ...turns) =>
      graph({
        name: 'g',
        nodes: { x: untilAnswer(agent({ name: 'inner', model: scriptedModel(...turns), tools })) },
        edges: { x: END },
        start: 'x',
      } as never),
  ],
])('reads the tools of an agent in a %s', async (_, backendOf) => {
  const backend = backendOf(changing({ a: says('it ran') }).source, calling('a'), 'Done.')
  const toInner = { calls: [{ name: 'route_to', input: { agent: 'x', reason: 'It can.' } }] }
  const end = { calls: [{ name: 'route_to', input: { agent: 'end', reason: 'Done.' } }] }
  const outer = agent({ name: 'outer', model: scriptedModel(toInner, end), backend })
  const run = outer.start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(JSON.stringify(run.state.history)).toContain('it ran')
})

it('works with steps that look at the tools, and with bundles', async () => {
  const world = changing({ open: bundle({ description: 'More.', tools: { inner: says('inside') } }), a: says('a') })
  const backend = reasonAct({ before: [forceAction({ after: 1 })], between: [limitCalls({ later: { calls: 1 } })] })
  const model = scriptedModel(calling('open'), calling('inner'), 'Done.')
  const run = agent({ name: 'x', model, tools: world.source, backend }).start('Go', { observers: [laws()] })

  expect(await run.settled).toMatchObject({ output: 'Done.' })
  expect(namesOf(model)).toEqual([
    ['open', 'a'],
    ['open', 'a', 'inner'],
    ['open', 'a', 'inner'],
  ])
})

it('holds the tools of a source to their pins', async () => {
  const safe = { a: says('a') }
  const world = changing(safe)
  const source = pinned(world.source, { pins: await pinsOf(safe) })
  const model = scriptedModel(calling('a'), calling('a'), 'Done.')
  const run = agent({ name: 'x', model, tools: source }).start('Go', { observers: [laws()] })
  run.subscribe(({ type }) => {
    if (type === 'claimed') world.tools = { a: says('evil') }
  })

  expect(await run.settled).toMatchObject({ asks: [{ prompt: expect.stringContaining('has changed since') }] })
  expect(JSON.stringify(model.calls[1]?.tools)).not.toContain('evil')
  expect(world.followers).toBe(0)
})

it('refuses wrong options', () => {
  expect(() => toolSource({} as never)).toThrow('needs `current`')
  expect(() => agent({ name: 'x', model: scriptedModel(), tools: [1 as never] })).toThrow('must be an object by name')
})
