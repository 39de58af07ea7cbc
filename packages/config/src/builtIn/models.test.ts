import { agent } from '@interleave/core'
import { textMode } from '@interleave/text'
import { expect, it } from 'vitest'
import { bothWays, search } from '../testing/bothWays.ts'

it('makes a model call tools that only writes', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: { textMode: { model: fast, format: mrkl, labels: { thought: Idea } } }
    tools: [search]
`,
    byHand: (model) =>
      agent({
        name: 'a',
        model: textMode(model, { format: 'mrkl', labels: { thought: 'Idea' } }),
        tools: { search },
      }),
    tools: { search },
    turns: ['Idea: I look.\nAction: search\nAction Input: {}', 'Idea: I know.\nFinal Answer: 42'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('answer')
})
