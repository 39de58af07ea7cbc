import { agent } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { fetchTool } from '@interleave/core/fetch'
import { askUser, bundle } from '@interleave/core/tools'
import { expect, it } from 'vitest'
import { bothWays, search } from '../testing/bothWays.ts'

it('gives agents and bundles as tools', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  helper: { model: fast, instructions: Help. }
  a:
    model: fast
    tools:
      help: { agentTool: { agent: helper, description: Helps., maxDepth: 2 } }
      more: { bundle: { description: More tools., tools: { look: search, ask: askUser } } }
`,
    byHand(model) {
      const helper = agent({ name: 'helper', model, instructions: 'Help.' })
      const tools = {
        help: agentTool(helper, { description: 'Helps.', maxDepth: 2 }),
        more: bundle({ description: 'More tools.', tools: { look: search, ask: askUser() } }),
      }
      return agent({ name: 'a', model, tools })
    },
    tools: { search },
    turns: [
      { calls: [{ name: 'help', input: { task: 'Think.' } }] },
      'I thought.',
      { calls: [{ name: 'more', input: {} }] },
      { calls: [{ name: 'look', input: {} }] },
      'Done.',
    ],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('"I thought."')
})

it('gives a tool that reads pages of listed origins, and refuses any other', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    tools: { read: { fetchTool: { allow: ['https://docs.example.com'], maxBytes: 1000 } } }
`,
    byHand(model) {
      const read = fetchTool({ allow: ['https://docs.example.com'], maxBytes: 1_000 })
      return agent({ name: 'a', model, tools: { read } })
    },
    turns: [{ calls: [{ name: 'read', input: { url: 'https://other.example.com' } }] }, 'Done.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('Only these can be fetched')
})
