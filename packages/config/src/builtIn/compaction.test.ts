import { agent, reasonAct } from '@interleave/core'
import { compact, cutResults, dropTurns } from '@interleave/core/steps'
import { expect, it } from 'vitest'
import { bothWays, search, searching } from '../testing/bothWays.ts'

it('compacts what the model is given', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: [search]
    backend:
      reasonAct:
        before:
          - compact: { contextWindow: 900, ratio: 0.5, keep: 1, strategies: [cutResults, dropTurns] }
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model,
        tools: { search },
        backend: reasonAct({
          before: [compact({ contextWindow: 900, ratio: 0.5, keep: 1, strategies: [cutResults(), dropTurns()] })],
        }),
      }),
    tools: { search },
    turns: [searching, searching, { ...searching, usage: { input: 800 } }, 'Done.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('compacted')
})
