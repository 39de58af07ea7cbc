import { laws } from '@interleave/test-kit/laws'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { AgentError, agent, confirm, type Json, type RunState, reasonAct, type Step, tool } from '../index.ts'
import { memoryJournal, savedRun } from '../journal/index.ts'
import { inOrder, think } from '../steps/index.ts'
import { END, graph, position, router, untilAnswer, value } from './index.ts'

const answered = (output: string) => ({ type: 'answer', output, reason: 'text' }) as const
const done: Step = () => answered('joined')
const tick = () => new Promise((resolve) => setTimeout(resolve))
const start = (backend: Step, model = scriptedModel()) =>
  agent({ name: 'a', model, backend }).start('Go', { observers: [laws()] })
const resume = (backend: Step, state: RunState) => {
  const kept = JSON.parse(JSON.stringify(state))
  return agent({ name: 'a', model: scriptedModel(), backend }).resume(savedRun(kept), {
    observers: [laws(structuredClone(kept))],
  })
}

/** `split` forks to these, and all join in `join`. */
const forked = (a: Step, b: Step, options: { parallel?: number } = {}) =>
  graph({
    name: 'fork',
    nodes: { split: () => undefined, a, b, join: done },
    start: 'split',
    edges: { split: ['a', 'b'], a: 'join', b: 'join', join: END },
    ...options,
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

it('visits the branches of a fork at the same time, and the join once', async () => {
  const { log, gate, end } = gates()
  const run = start(forked(gate('a'), gate('b')))
  await tick()
  expect(log).toEqual(['a<', 'b<'])
  expect(position(run.state, forked(done, done))).toEqual({ nodes: ['a', 'b'], visits: 3 })

  await end('b')
  expect(position(run.state, forked(done, done))).toEqual({ nodes: ['a'], visits: 3 })
  await end('a')

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['a<', 'b<', '>b', '>a'])
  expect(position(run.state, forked(done, done))).toEqual({ nodes: [END], visits: 4 })
})

it('goes on with as many branches at a time as it may', async () => {
  const { log, gate, end } = gates()
  const run = start(forked(gate('a'), gate('b'), { parallel: 1 }))
  await tick()
  expect(log).toEqual(['a<'])

  await end('a')
  await end('b')

  expect(await run.settled).toEqual(answered('joined'))
})

it('fails for a branch that fails while several others have not begun', async () => {
  const a: Step = () => Promise.reject(new Error('broken'))
  const nodes = { split: () => undefined, a, b: () => undefined, c: () => undefined, join: done }
  const edges = { split: ['a', 'b', 'c'], a: 'join', b: 'join', c: 'join', join: END } as const
  const wide = graph({ name: 'wide', nodes, start: 'split', edges, parallel: 1 })

  expect(await start(wide).settled).toMatchObject({ type: 'failed', error: { code: 'step_failed' } })
})

it('does the work of the branches again for a message that follows a failed fork', async () => {
  const done: Json[] = []
  const work: Step = async (run) => void done.push(await run.once('work', () => done.length))
  const fails: Step = () => Promise.reject(new Error('broken'))
  const nodes = { split: () => undefined, a: work, also: work, fails, join: () => undefined }
  const edges = { split: ['a', 'fails'], a: 'also', also: 'join', fails: 'join', join: END } as const
  const run = start(graph({ name: 'twice', nodes, start: 'split', edges }))
  await run.settled

  await run.say('Again')
  await run.settled

  expect(done).toEqual([0, 1, 2, 3])
})

it('does not let a question in one branch stop the other', async () => {
  const { log, gate, end } = gates()
  const ask: Step = async (run) => void (await run.ask('sure', confirm({ prompt: 'Sure?' }))) as undefined
  const run = start(forked(ask, gate('b'), { parallel: 1 }))
  await tick()
  expect([run.state.asks.length, run.state.rest, log]).toEqual([1, undefined, ['b<']])

  await end('b')
  expect(await run.settled).toMatchObject({ type: 'inputNeeded', asks: [{ id: 'graph/fork/fork/split/a/2/sure' }] })
  await run.reply('graph/fork/fork/split/a/2/sure', true)

  expect(await run.settled).toEqual(answered('joined'))
})

it('rests when all branches wait, and goes on after a reload with those that were answered', async () => {
  const said: string[] = []
  const asking =
    (name: string): Step =>
    async (run) => {
      said.push(`${name} ${await run.ask('sure', confirm({ prompt: name }))}`)
      return undefined
    }
  const fork = forked(asking('a'), asking('b'))
  const before = start(fork)
  expect(await before.settled).toMatchObject({ type: 'inputNeeded', asks: [{ prompt: 'a' }, { prompt: 'b' }] })
  await before.reply('graph/fork/fork/split/a/2/sure', true)
  await before.settled

  const after = await resume(fork, before.state)
  await after.reply('graph/fork/fork/split/b/2/sure', false)

  expect(await after.settled).toEqual(answered('joined'))
  expect(said).toEqual(['a true', 'b false'])
})

it('tells a fault of one branch when the others have come to their end, and then tries only that one again', async () => {
  const { log, gate, end } = gates()
  let broken = true
  const flaky: Step = () => {
    if (broken) throw new Error('Broken.')
  }
  const run = start(forked(flaky, gate('b')))
  await tick()
  expect(run.state.rest).toBeUndefined()

  await end('b')
  expect(await run.settled).toMatchObject({ type: 'failed', error: { message: expect.stringMatching(/"a".*Broken/) } })
  broken = false
  run.resume()

  expect(await run.settled).toEqual(answered('joined'))
  expect(log).toEqual(['b<', '>b'])
})

it('stops all branches, and goes on in each', async () => {
  const log: string[] = []
  let patient = false
  const waiting =
    (name: string): Step =>
    async ({ abortSignal }) => {
      log.push(name)
      if (!patient) await new Promise((resolve) => abortSignal.addEventListener('abort', resolve))
      return undefined
    }
  const run = start(forked(waiting('a'), waiting('b')))
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
  const run = agent({ name: 'a', model: scriptedModel(), backend: forked(deaf, asks) }).start('Go', { host })
  await host.advance(0)
  void run.stop()
  await host.advance(5_000)

  run.resume()

  await host.advance(0)
  expect(run.state.rest).toMatchObject({ type: 'inputNeeded' })
  await expect(late?.()).rejects.toMatchObject({ code: 'stopped' })
})

it('forks inside of branches, loops inside of branches, and forks again in a loop', async () => {
  const [rounds, tries] = [value('rounds', 0), value('tries', 0)]
  const log: string[] = []
  const logging =
    (name: string): Step =>
    () =>
      void log.push(name) as undefined
  const flow = graph({
    name: 'flow',
    nodes: {
      split: (run) => tries.set(run, 0),
      left: logging('left'),
      left1: logging('left1'),
      left2: logging('left2'),
      both: logging('both'),
      right: (run) => tries.set(run, tries.get(run) + 1),
      join: (run) => rounds.set(run, rounds.get(run) + 1),
    },
    start: 'split',
    edges: {
      split: ['left', 'right', 'join'],
      left: ['left1', 'left2'],
      left1: 'both',
      left2: 'both',
      both: 'join',
      right: router(['right', 'join'], (run) => (tries.get(run) < 3 ? 'right' : 'join')),
      join: router(['split', END], (run) => (rounds.get(run) < 2 ? 'split' : END)),
    },
  })
  const run = start(inOrder(flow, done))
  await run.settled

  expect(log).toEqual(['left', 'left1', 'left2', 'both', 'left', 'left1', 'left2', 'both'])
  expect(tries.get(run)).toBe(3)
  expect(position(run.state, flow)).toEqual({ nodes: [END], visits: 18 })
})

it('counts the visits of all branches, and asks once whether to go on', async () => {
  const count = value('count', 0)
  const loop = graph({
    name: 'loop',
    nodes: { split: () => undefined, a: (run) => count.set(run, count.get(run) + 1), b: () => undefined },
    start: 'split',
    edges: { split: ['a', 'b'], a: router(['a', END], () => 'a'), b: router(['b', END], () => 'b') },
    visits: 10,
  })
  const run = start(loop)

  expect(await run.settled).toMatchObject({ type: 'limitReached', limit: 'visits' })
  expect(run.state.asks).toHaveLength(1)
  expect(count.get(run)).toBe(9)
})

it('stops all branches when a user ends the run at the limit of one, and goes on', async () => {
  let visits = 0
  const untilStopped: Step = ({ abortSignal }) =>
    new Promise((resolve) =>
      visits++ ? resolve(undefined) : abortSignal.addEventListener('abort', () => resolve(undefined)),
    )
  const limited = untilAnswer(reasonAct({ limits: { iterations: 1 } }))
  const run = start(forked(limited, untilStopped), scriptedModel({ calls: [{ name: 'none', input: {} }] }))
  await vi.waitFor(() => expect(run.state.asks).toHaveLength(1))

  await run.reply(run.state.asks[0]?.id ?? '', { finish: true })

  expect(await run.settled).toEqual({ type: 'stopped', reason: 'The limit is reached: iterations.' })
  run.resume()
  expect(await run.settled).toMatchObject({ type: 'limitReached' })
  expect(visits).toBe(2)
})

it('answers with what a branch answered that led to the end', async () => {
  const flow = graph({
    name: 'flow',
    nodes: { split: () => undefined, a: () => undefined, b: () => answered('b') },
    start: 'split',
    edges: { split: ['a', 'b'], a: END, b: END },
  })

  expect(await start(flow).settled).toEqual(answered('b'))
})

it('lets one branch think beside others that do not', async () => {
  const flow = graph({
    name: 'flow',
    nodes: { split: () => undefined, talk: untilAnswer(reasonAct()), b: () => undefined, join: done },
    start: 'split',
    edges: { split: ['talk', 'b'], talk: 'join', b: 'join', join: END },
  })
  const run = start(flow, scriptedModel('Hello.'))

  expect(await run.settled).toEqual(answered('joined'))
  expect(run.state.iteration).toBe(1)
})

it('refuses branches that all think, where the graph is made', () => {
  const talk = untilAnswer(reasonAct())

  expect(() => forked(talk, talk)).toThrowError(/the branches \[a, b\] of the fork 'split' all think/)
})

it('refuses a branch that thinks unannounced, before the model is asked', async () => {
  const model = scriptedModel('Hello.')

  const signal = await start(
    forked(inOrder(think()), () => undefined),
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

it('rests for a tool that asks in one branch when the other is done, and not before', async () => {
  const { gate, end } = gates()
  const ask = tool({ inputSchema: z.object({}), execute: (_, context) => context.ask(confirm({ prompt: 'Sure?' })) })
  const flow = forked(untilAnswer(reasonAct()), gate('b'), { parallel: 1 })
  const model = scriptedModel({ calls: [{ name: 'ask', input: {} }] }, 'Sure.')
  const run = agent({ name: 'a', model, tools: { ask }, backend: flow }).start('Go', { observers: [laws()] })
  await tick()
  expect([run.state.asks.length, run.state.rest]).toEqual([1, undefined])

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
    const made = agent({ name: 'a', model: scriptedModel(), backend: forked(throws, asks) })
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
