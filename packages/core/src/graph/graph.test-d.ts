import { scriptedModel } from '@interleave/testing'
import { expectTypeOf, it } from 'vitest'
import { type Agent, agent, reasonAct, type Step } from '../index.ts'
import { END, type Graph, graph, parallel, router, untilAnswer, type Value, value } from './index.ts'

const step: Step = () => undefined
const nodes = { a: step, b: step }
const named = { name: 'g', nodes, start: 'a' } as const

it('is a step that knows the names of its nodes', () => {
  const flow = graph({ ...named, edges: { a: 'b', b: END } })

  expectTypeOf(flow).toEqualTypeOf<Graph<'a' | 'b'>>()
  expectTypeOf(flow).toExtend<Step>()
  expectTypeOf(flow.start).toEqualTypeOf<'a' | 'b'>()
})

it('takes steps, agents and graphs for nodes', () => {
  const inner = graph({ ...named, edges: { a: 'b', b: END } })
  const writer = agent({ name: 'writer', model: scriptedModel() })

  graph({ name: 'g', nodes: { inner, writer }, start: 'inner', edges: { inner: 'writer', writer: END } })
  agent({ name: 'a', model: scriptedModel(), backend: inner })
  reasonAct({ before: [inner] })
  graph({
    name: 'g',
    nodes: { a: (run) => void run.live({ type: 'thinking', iteration: 1 }) as undefined, b: async () => undefined },
    start: 'a',
    edges: { a: 'b', b: END },
  })
})

it('refuses names that are no nodes', () => {
  // @ts-expect-error the start is a node
  graph({ name: 'g', nodes, start: 'c', edges: { a: 'b', b: END } })
  // @ts-expect-error an edge leads to a node or to END
  graph({ ...named, edges: { a: 'c', b: END } })
  // @ts-expect-error it leads to one: parallel() runs several side by side
  graph({ ...named, edges: { a: ['b', END], b: END } })
  // @ts-expect-error every node leads on
  graph({ ...named, edges: { a: 'b' } })
  // @ts-expect-error edges begin at nodes
  graph({ ...named, edges: { a: 'b', b: END, c: END } })
  // @ts-expect-error the end is END
  graph({ ...named, edges: { a: 'b', b: 'end' } })
})

it('holds routers to their targets, and these to the nodes', () => {
  graph({ ...named, edges: { a: router(['a', 'b', END], async () => 'b'), b: END } })
  // @ts-expect-error the targets of a router are nodes
  graph({ ...named, edges: { a: router(['b', 'c'], () => 'b'), b: END } })
  // @ts-expect-error a router chooses a target
  router(['a', 'b'], () => 'c')
  // @ts-expect-error always
  router(['a', END], ({ state }) => (state.seq > 1 ? 'a' : undefined))
  // @ts-expect-error the end has to be a target too
  router(['a'], () => END)
})

it('runs steps, agents and graphs side by side', () => {
  const inner = graph({ ...named, edges: { a: 'b', b: END } })
  const writer = agent({ name: 'writer', model: scriptedModel() })

  expectTypeOf(parallel({ inner, writer, step }, { concurrency: 2 })).toEqualTypeOf<Step>()
  // @ts-expect-error a branch is a step
  parallel({ a: 'text' })
})

it('refuses what is no step', () => {
  // @ts-expect-error a node is a step
  graph({ name: 'g', nodes: { a: 'text' }, start: 'a', edges: { a: END } })
  // @ts-expect-error a step returns a signal or nothing
  graph({ name: 'g', nodes: { a: () => 1 }, start: 'a', edges: { a: END } })
})

it('types values by what they begin with', () => {
  expectTypeOf(value('n', 0)).toEqualTypeOf<Value<number>>()
  expectTypeOf(value('s', '')).toEqualTypeOf<Value<string>>()
  expectTypeOf(value('b', false)).toEqualTypeOf<Value<boolean>>()
  expectTypeOf(value<'up' | 'down'>('d', 'up')).toEqualTypeOf<Value<'up' | 'down'>>()
  expectTypeOf(value<readonly string[]>('l', [])).toEqualTypeOf<Value<readonly string[]>>()
  expectTypeOf(value<{ score: number } | null>('o', null)).toEqualTypeOf<Value<{ score: number } | null>>()
  // @ts-expect-error a date is no JSON
  value('date', new Date())
})

it('keeps the answer of an agent where it fits', () => {
  const critic = {} as Agent<{ score: number }>

  untilAnswer(critic, { keep: value('verdict', { score: 0 }) })
  untilAnswer(reasonAct(), { keep: value('text', '') })
  // @ts-expect-error the critic answers with a score
  untilAnswer(critic, { keep: value('text', '') })
})
