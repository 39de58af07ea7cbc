import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, confirm, type Event, type Json, reasonAct, type Step, tool } from '../index.ts'
import { type Journal, memoryJournal, savedRun } from '../journal/index.ts'
import { inOrder, think } from '../steps/index.ts'
import { END, graph, type ParallelOptions, parallel, position, router, untilAnswer, value } from './index.ts'

const answered = (output: string) => ({ type: 'answer', output, reason: 'text' }) as const
const done: Step = () => answered('joined')
const tick = () => new Promise((resolve) => setTimeout(resolve))
const start = (backend: Step, model = scriptedModel()) =>
  agent({ name: 'a', model, backend }).start('Go', { observers: [laws()] })
const resume = (backend: Step, log: readonly Event[]) => {
  const kept = JSON.parse(JSON.stringify(log))
  return agent({ name: 'a', model: scriptedModel(), backend }).resume(savedRun(kept), {
    observers: [laws(structuredClone(kept))],
  })
}

/** `work` runs these side by side, and `join` follows. */
const both = (a: Step, b: Step, options?: ParallelOptions) =>
  graph({
    name: 'both',
    nodes: { work: parallel({ a, b }, options), join: done },
    start: 'work',
    edges: { work: 'join', join: END },
  })

/** Steps that say when they begin and end, and end when they are let. */
function gates() {
  const log: string[] = []
  const open = new Map<string, () => void>()
  const gate =
    (name: string): Step =>
    async () => {
      log.push(`${name}<`)
      await new Promise<void>((resolve) => open.set(name, resolve))
      log.push(`>${name}`)
      return undefined
    }
  const end = (name: string) => {
    open.get(name)?.()
    return tick()
  }
  return { log, gate, end }
}

it('runs the branches of a parallel node at the same time, and the next node once', async () => {
  const { log, gate, end } = gates()
  const run = start(both(gate('a'), gate('b')))
  await tick()
  expect(log).toEqual(['a<', 'b<'])
  expect(position(run.state, both(done, done))).toEqual({ node: 'work', branches: ['a', 'b'], visits: 1 })

  await end('b')
  expect(position(run.state, both(done, done))).toEqual({ node: 'work', branches: ['a'], visits: 1 })
  await end('a')

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['a<', 'b<', '>b', '>a'])
  expect(position(run.state, both(done, done))).toEqual({ node: END, visits: 2 })
})

it('continues with as many branches at a time as it may', async () => {
  const { log, gate, end } = gates()
  const run = start(both(gate('a'), gate('b'), { concurrency: 1 }))
  await tick()
  expect(log).toEqual(['a<'])

  await end('a')
  await end('b')

  expect(await run.settled).toEqual(answered('joined'))
})

it('lets no more begin at a time for a branch that fails while it waits for a user', async () => {
  const { log, gate, end } = gates()
  const a: Step = async (run) => {
    await Promise.all([
      run.ask('sure', confirm({ prompt: 'Sure?' })),
      tick().then(() => Promise.reject(new Error('No.'))),
    ])
    return undefined
  }
  const work = parallel({ a, b: gate('b'), c: gate('c') }, { concurrency: 1 })
  start(graph({ name: 'wide', nodes: { work }, start: 'work', edges: { work: END } }))
  await tick()
  await tick()

  expect(log).toEqual(['b<'])
  await end('b')
  expect(log).toEqual(['b<', '>b', 'c<'])
})

it('fails for a branch that fails while several others have not begun', async () => {
  const a: Step = () => Promise.reject(new Error('broken'))
  const work = parallel({ a, b: () => undefined, c: () => undefined }, { concurrency: 1 })
  const wide = graph({ name: 'wide', nodes: { work }, start: 'work', edges: { work: END } })

  expect(await start(wide).settled).toMatchObject({ type: 'failed', error: { code: 'step_failed' } })
})

it('runs the branches again for a message that follows a failure of one', async () => {
  const done: Json[] = []
  const work: Step = async (run) => void done.push(await run.once('work', () => done.length))
  const fails: Step = () => Promise.reject(new Error('broken'))
  const nodes = { a: work, also: work }
  const two = graph({ name: 'two', nodes, start: 'a', edges: { a: 'also', also: END } })
  const twice = graph({ name: 'twice', nodes: { work: parallel({ two, fails }) }, start: 'work', edges: { work: END } })
  const run = start(twice)
  await run.settled

  await run.say('Again')
  await run.settled

  expect(done).toEqual([0, 1, 2, 3])
})

it('has the end of a branch in the journal while another one works', async () => {
  const journal = memoryJournal()
  const { gate, end } = gates()
  const backend = both(gate('a'), gate('b'))
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { journal })
  await tick()

  await end('a')

  const keys = (await journal.read(run.state.runId)).map((event) => event.type === 'noted' && event.key)
  expect(keys).toContain('graph/both/node/work/branch/a')
  await end('b')
  await run.settled
})

it('continues with a branch whose end could not be written, once another one can write', async () => {
  const kept = memoryJournal()
  let isFull = false
  const journal: Journal = {
    ...kept,
    append: (...given) => (isFull ? Promise.reject(new Error('Full.')) : kept.append(...given)),
  }
  const { log, gate, end } = gates()
  const backend = both(gate('a'), gate('b'))
  const run = agent({ name: 'a', model: scriptedModel(), backend }).start('Go', { journal })
  await tick()
  isFull = true
  await end('a')
  isFull = false
  await end('b')

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['a<', 'b<', '>a', '>b'])
})

it('begins no further branch after a stop', async () => {
  const log: string[] = []
  const a: Step = ({ abortSignal }) =>
    new Promise((resolve) => abortSignal.addEventListener('abort', () => resolve(undefined)))
  const run = start(both(a, () => void log.push('b') as undefined, { concurrency: 1 }))
  await tick()

  await run.stop()
  await tick()

  expect(log).toEqual([])
})

it('does not let a question in one branch stop the other', async () => {
  const { log, gate, end } = gates()
  const ask: Step = async (run) => void (await run.ask('sure', confirm({ prompt: 'Sure?' }))) as undefined
  const run = start(both(ask, gate('b'), { concurrency: 1 }))
  await tick()
  expect([run.state.asks.length, run.state.signal, log]).toEqual([1, undefined, ['b<']])

  await end('b')
  expect(await run.settled).toMatchObject({
    type: 'inputNeeded',
    asks: [{ id: 'graph/both/node/work/branch/a/1/sure' }],
  })
  await run.reply('graph/both/node/work/branch/a/1/sure', true)

  expect(await run.settled).toEqual(answered('joined'))
})

it('settles when all branches wait, and continues after a reload with those that were answered', async () => {
  const said: string[] = []
  const asking =
    (name: string): Step =>
    async (run) => {
      said.push(`${name} ${await run.ask('sure', confirm({ prompt: name }))}`)
      return undefined
    }
  const flow = both(asking('a'), asking('b'))
  const before = start(flow)
  expect(await before.settled).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'a' }, { prompt: 'b' }] })
  await before.reply('graph/both/node/work/branch/a/1/sure', true)
  await before.settled

  const after = await resume(flow, before.log)
  await after.reply('graph/both/node/work/branch/b/1/sure', false)

  expect(await after.settled).toEqual(answered('joined'))
  expect(said).toEqual(['a true', 'b false'])
})

it('tells a fault of one branch when the others have come to their end, and then tries only that one again', async () => {
  const { log, gate, end } = gates()
  let broken = true
  const flaky: Step = () => {
    if (broken) throw new Error('Broken.')
  }
  const run = start(both(flaky, gate('b')))
  await tick()
  expect(run.state.signal).toBeUndefined()

  await end('b')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringMatching(/"a".*Broken/) } })
  broken = false
  run.resume()

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['b<', '>b'])
})

it('stops all branches, and continues in each', async () => {
  const log: string[] = []
  let patient = false
  const waiting =
    (name: string): Step =>
    async ({ abortSignal }) => {
      log.push(name)
      if (!patient) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve))
      return undefined
    }
  const run = start(both(waiting('a'), waiting('b')))
  await tick()

  await run.stop()
  patient = true
  run.resume()

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['a', 'b', 'a', 'b'])
})

it('waits for no branch that ignored a stop, and lets it ask nothing', async () => {
  const host = manualHost()
  let late: (() => Promise<unknown>) | undefined
  const deaf: Step = (run) => {
    if (late) return undefined
    late = () => run.ask('late', confirm({ prompt: 'Late?' }))
    return new Promise(() => {})
  }
  const asks: Step = async (run) => void (await run.ask('sure', confirm({ prompt: 'Sure?' })))
  const run = agent({ name: 'a', model: scriptedModel(), backend: both(deaf, asks) }).start('Go', { host })
  await host.advance(0)
  void run.stop()
  await host.advance(5_000)

  run.resume()

  await host.advance(0)
  expect(run.state.signal).toMatchObject({ type: 'inputNeeded' })
  await expect(late?.()).rejects.toMatchObject({ code: 'stopped' })
})

it('runs branches inside of branches, loops inside of branches, and branches again in a loop', async () => {
  const [rounds, tries] = [value('rounds', 0), value('tries', 0)]
  const log: string[] = []
  const logging =
    (name: string): Step =>
    () =>
      void log.push(name) as undefined
  const left = graph({
    name: 'inner',
    nodes: {
      first: logging('left'),
      sides: parallel({ a: logging('left1'), b: logging('left2') }),
      both: logging('both'),
    },
    start: 'first',
    edges: { first: 'sides', sides: 'both', both: END },
  })
  const right = graph({
    name: 'inner',
    nodes: { try: (run) => tries.set(run, tries.get(run) + 1) },
    start: 'try',
    edges: { try: router(['try', END], (run) => (tries.get(run) < 3 ? 'try' : END)) },
  })
  const flow = graph({
    name: 'flow',
    nodes: {
      begin: (run) => tries.set(run, 0),
      work: parallel({ left, right, nested: parallel({ a: logging('nested'), b: () => undefined }) }),
      join: (run) => rounds.set(run, rounds.get(run) + 1),
    },
    start: 'begin',
    edges: {
      begin: 'work',
      work: 'join',
      join: router(['begin', END], (run) => (rounds.get(run) < 2 ? 'begin' : END)),
    },
  })
  const run = start(inOrder(flow, done))
  await run.settled

  const round = ['both', 'left', 'left1', 'left2', 'nested']
  expect([log.slice(0, 5).toSorted(), log.slice(5).toSorted()]).toEqual([round, round])
  expect(tries.get(run)).toBe(3)
  expect(position(run.state, flow)).toEqual({ node: END, visits: 6 })
})

it('asks whether to continue with a graph in a branch while another one works', async () => {
  const count = value('count', 0)
  const { log, gate, end } = gates()
  const loop = graph({
    name: 'loop',
    nodes: { a: (run) => count.set(run, count.get(run) + 1) },
    start: 'a',
    edges: { a: router(['a', END], () => 'a') },
    visits: 10,
  })
  const run = start(both(loop, gate('b')))
  await tick()
  expect(log).toEqual(['b<'])
  await end('b')

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'visits', used: 10 })
  expect(run.state.asks).toHaveLength(1)
  expect(count.get(run)).toBe(10)
})

it('stops all branches when a user ends the run at the limit of one, and continues', async () => {
  let visits = 0
  const untilStopped: Step = ({ abortSignal }) =>
    new Promise((resolve) =>
      visits++ ? resolve(undefined) : abortSignal.addEventListener('abort', () => resolve(undefined)),
    )
  const limited = untilAnswer(reasonAct({ limits: { iterations: 1 } }))
  const run = start(both(limited, untilStopped), scriptedModel({ calls: [{ name: 'none', input: {} }] }))
  await vi.waitFor(() => expect(run.state.asks).toHaveLength(1))

  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'The limit is reached: iterations.' })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'limitReached' })
  expect(visits).toBe(2)
})

it('answers with what its first branch answered that has an answer', async () => {
  const work = parallel({ a: () => undefined, b: () => answered('b'), c: () => answered('c') })
  const flow = graph({ name: 'flow', nodes: { work }, start: 'work', edges: { work: END } })

  expect(await start(flow).settled).toEqual(answered('b'))
})

it('shows the values of a branch to what follows, and not to the other branches', async () => {
  const [left, right, seen] = [value('left', ''), value('right', ''), value('seen', '')]
  const lefts: string[] = []
  const lasts: Step = async (run) => {
    await tick()
    lefts.push(left.get(run))
    right.set(run, 'right')
    if (broken) throw new Error('Broken.')
    return undefined
  }
  let broken = true
  const sides = parallel({ a: (run) => left.set(run, 'left'), b: lasts })
  const flow = graph({
    name: 'flow',
    nodes: { work: inOrder(sides, (run) => seen.set(run, `${left.get(run)} ${right.get(run)}`)), join: done },
    start: 'work',
    edges: { work: router(['join'], (run) => (left.get(run) === 'left' ? 'join' : ('none' as 'join'))), join: END },
  })
  const run = start(flow)
  expect(await run.settled).toMatchObject({ type: 'failed' })
  broken = false
  run.resume()

  expect(await run.settled).toEqual(answered('joined'))
  expect(seen.get(run)).toBe('left right')
  expect(lefts).toEqual(['', ''])
})

it('lets one branch think next to others that do not', async () => {
  const run = start(
    both(untilAnswer(reasonAct()), () => undefined),
    scriptedModel('Hello.'),
  )

  expect(await run.settled).toEqual(answered('joined'))
  expect(run.state.iteration).toBe(1)
})

it('gives the model the instructions of the branch that thinks', async () => {
  const model = scriptedModel('Hello.')
  const talk = untilAnswer(Object.assign(reasonAct(), { instructions: 'Be brief.' }))

  await start(
    both(talk, () => undefined),
    model,
  ).settled

  expect(model.calls[0]?.prompt[0]).toMatchObject({ role: 'system', content: 'Be brief.' })
})

it('refuses branches that all think, where they are described', () => {
  const talk = untilAnswer(reasonAct())

  expect(() => both(talk, talk)).toThrowError(/^The branches \[a, b\] of parallel\(\) all think\..*inOwnRun/)
})

it.each([
  [() => parallel({}), /takes steps or agents by name/],
  [() => parallel(undefined as never), /takes steps or agents by name/],
  [() => parallel({ a: 'text' as never }), /takes steps or agents by name/],
  [() => parallel({ a: done }, { concurrency: 0 }), /concurrency: 0/],
  [() => parallel({ a: done }, { parallel: 2 } as never), /`parallel`/],
])('refuses what cannot work: %s', (make, message) => {
  expect(make).toThrowError(message)
})

it.each([
  ['outside of a graph', inOrder(parallel({ a: () => undefined })), /works in a graph/],
  ['twice in one node', twiceInOneNode(), /"work" has two parallel\(\) with a branch "a"/],
])('says where it belongs: %s', async (_, backend, message) => {
  expect(await start(backend).settled).toMatchObject({
    type: 'failed',
    error: { code: 'graph_invalid', message: expect.stringMatching(message) },
  })
})

function twiceInOneNode(): Step {
  const work = inOrder(parallel({ a: () => undefined }), parallel({ a: () => undefined }))
  return graph({ name: 'g', nodes: { work }, start: 'work', edges: { work: END } })
}

it('refuses a branch that thinks unannounced, before the model is asked', async () => {
  const model = scriptedModel('Hello.')

  const signal = await start(
    both(inOrder(think()), () => undefined),
    model,
  ).settled

  expect(signal).toMatchObject({
    type: 'failed',
    error: { code: 'graph_invalid', message: expect.stringMatching(/branch "a"/) },
  })
  expect(model.calls).toEqual([])
})

it('has every visit in the journal before the next one begins', async () => {
  const journal = memoryJournal()
  const kept: number[] = []
  const look: Step = async (run) => {
    kept.push((await journal.read(run.state.runId)).length - run.state.seq)
    return undefined
  }
  const fork = graph({ name: 'g', nodes: { a: look, b: look }, start: 'a', edges: { a: 'b', b: END } })
  const run = agent({ name: 'a', model: scriptedModel(), backend: inOrder(fork, done) }).start('Go', { journal })
  await run.settled

  expect(kept).toEqual([0, 0])
})

it('settles for a tool that asks in one branch when the other is done, and not before', async () => {
  const { gate, end } = gates()
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
  const flow = both(untilAnswer(reasonAct()), gate('b'), { concurrency: 1 })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Sure.')
  const run = agent({ name: 'a', model, tools: { ask }, backend: flow }).start('Go', { observers: [laws()] })
  await tick()
  expect([run.state.asks.length, run.state.signal]).toEqual([1, undefined])

  await end('b')
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: '1/tool/0/ask/0' }] })
  await run.reply('1/tool/0/ask/0', true)

  expect(await run.settled).toEqual(answered('joined'))
})

it.each(['journal_failed', 'journal_conflict'] as const)(
  'does not take %s that a branch throws for a failure of its own journal',
  async (code) => {
    let tries = 0
    const throws = () => {
      tries++
      throw new AgentError(code, 'Of another run.')
    }
    const asks: Step = async (run) => void (await run.ask('go', confirm({ prompt: 'Go?' })))
    const made = agent({ name: 'a', model: scriptedModel(), backend: both(throws, asks) })
    const run = made.start('Go', { journal: memoryJournal() })
    await run.settled

    await run.reply(run.state.asks[0]?.id ?? '', true)

    expect(await run.settled).toMatchObject({
      type: 'failed',
      error: { code: 'step_failed', message: 'Of another run.' },
    })
    expect(tries).toBe(1)
  },
)
