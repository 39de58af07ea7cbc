import { agent, confirm, reasonAct } from '@interleave/core'
import { END, graph, parallel, router, untilAnswer, value } from '@interleave/core/graph'
import { scriptedModel } from '@interleave/testing'
import type { GoldenCase } from '../GoldenCase.ts'
import { look, looking } from './tools.ts'

const rounds = value('rounds', 0)
const refinement = graph({
  name: 'refinement',
  nodes: {
    draft: untilAnswer(reasonAct()),
    review: (run) => rounds.set(run, rounds.get(run) + 1),
    refine: untilAnswer(reasonAct(), { say: 'Make it shorter.' }),
    finalize: () => ({ type: 'answer', output: 'Final.', reason: 'text' }),
  },
  start: 'draft',
  edges: {
    draft: 'review',
    review: router(['refine', 'finalize'], (run) => (rounds.get(run) < 2 ? 'refine' : 'finalize')),
    refine: 'review',
    finalize: END,
  },
})

const seen = { left: value('left', ''), right: value('right', '') }
const branches = graph({
  name: 'branches',
  nodes: {
    sides: parallel({
      left: async (run) => seen.left.set(run, (await run.ask('left', confirm({ prompt: 'Left?' }))) ? 'yes' : 'no'),
      right: async (run) => seen.right.set(run, 'done'),
    }),
    join: (run) => ({ type: 'answer', output: `${seen.left.get(run)} ${seen.right.get(run)}`, reason: 'text' }),
  },
  start: 'sides',
  edges: { sides: 'join', join: END },
})

export const graphs: readonly GoldenCase[] = [
  {
    name: 'graph-of-a-refinement',
    agent: agent({
      name: 'writer',
      model: scriptedModel(looking('tea'), 'A long draft.', 'A short draft.'),
      tools: { look },
      backend: refinement,
    }),
    input: 'Write about tea',
  },
  {
    name: 'graph-with-branches-and-a-question',
    agent: agent({ name: 'branching', model: scriptedModel(), backend: branches }),
    input: 'Go',
    whenSettled: [(run) => run.reply(run.state.asks[0]?.id ?? '', true)],
  },
]
