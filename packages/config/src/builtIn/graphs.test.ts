import { agent } from '@interleave/core'
import { END, graph, router, untilAnswer, value } from '@interleave/core/graph'
import type { RunContext } from '@interleave/core/steps'
import { expect, it } from 'vitest'
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
