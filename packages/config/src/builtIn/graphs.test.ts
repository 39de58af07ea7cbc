import { agent } from '@interleave/core'
import { END, graph, inOwnRun, parallel, router, untilAnswer, value, wait } from '@interleave/core/graph'
import type { RunContext } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { checkConfig, registry } from '../index.ts'
import { bothWays } from '../testing/bothWays.ts'

const score = value('score', 0)
const functions = {
  goodEnough: (run: RunContext) => (score.get(run) === ('Good.' as never) ? END : 'write'),
}

it('walks graphs, with agents for nodes', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  writer: { model: fast, instructions: Write. }
  critic: { model: fast, instructions: Judge. }
  a:
    model: fast
    backend:
      graph:
        name: essay
        start: write
        nodes:
          write: { agent: writer }
          judge: { untilAnswer: { node: { agent: critic }, say: Judge it., keep: { value: { key: score, initial: 0 } } } }
        edges:
          write: judge
          judge: { router: { targets: [write, END], choose: goodEnough } }
`,
    byHand(model) {
      const [writer, critic] = [
        agent({ name: 'writer', model, instructions: 'Write.' }),
        agent({ name: 'critic', model, instructions: 'Judge.' }),
      ]
      const essay = graph({
        name: 'essay',
        start: 'write',
        nodes: { write: writer, judge: untilAnswer(critic, { say: 'Judge it.', keep: score as never }) },
        edges: { write: 'judge', judge: router(['write', END], functions.goodEnough as never) },
      })
      return agent({ name: 'a', model, backend: essay })
    },
    functions,
    turns: ['A draft.', 'Bad.', 'A better draft.', 'Good.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('answer "Good."')
})

it('runs branches side by side, with agents, steps and graphs for branches', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  critic: { model: fast, instructions: Judge. }
  a:
    model: fast
    backend:
      graph:
        name: essay
        start: sides
        nodes:
          sides:
            parallel:
              branches:
                judge: { inOwnRun: { agent: critic, input: Judge it. } }
                again: { graph: { name: inner, start: w, nodes: { w: { wait: { ms: 0 } } }, edges: { w: END } } }
              concurrency: 1
          write: { agent: critic }
        edges: { sides: write, write: END }
`,
    byHand(model) {
      const critic = agent({ name: 'critic', model, instructions: 'Judge.' })
      const again = graph({ name: 'inner', start: 'w', nodes: { w: wait(0) }, edges: { w: END } })
      const sides = parallel({ judge: inOwnRun(critic, { input: 'Judge it.' }), again }, { concurrency: 1 })
      const nodes = { sides, write: critic }
      const essay = graph({ name: 'essay', start: 'sides', nodes, edges: { sides: 'write', write: END } })
      return agent({ name: 'a', model, backend: essay })
    },
    turns: ['Bad.', 'Good.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('graph/essay/node/sides/branch/judge')
})

it('says what runs steps side by side where an edge leads to several', () => {
  const nodes = { s: { wait: { ms: 1 } }, x: { wait: { ms: 1 } } }
  const graph = { name: 'g', start: 's', nodes, edges: { s: ['x', 'END'], x: 'END' } }

  expect(checkConfig({ interleave: 1, agents: { a: { backend: { graph } } } }, registry({}))).toMatchObject([
    { path: 'agents.a.backend.graph.edges.s', message: expect.stringMatching(/leads to one node.*`parallel`/) },
  ])
})
