import { agent } from '@interleave/core'
import { delegate, type ExternalAgent, route } from '@interleave/core/agents'
import { expect, it } from 'vitest'
import { bothWays } from '../testing/bothWays.ts'

it('leaves the work to an agent that runs elsewhere', async () => {
  const coder: ExternalAgent = {
    name: 'coder',
    async *run() {
      yield { type: 'text', delta: 'Coded.' }
      yield { type: 'done' }
    },
  }
  const { declared, coded } = await bothWays({
    text: 'interleave: 1\nagents: { a: { backend: { delegate: { external: coder, idleMs: 1000 } } } }',
    byHand: () => agent({ name: 'a', backend: delegate(coder, { idleMs: 1_000 }) }),
    externals: { coder },
    turns: [],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('answer "Coded."')
})

it('routes to agents', async () => {
  const { declared, coded } = await bothWays({
    text: `
interleave: 1
agents:
  a:
    model: fast
    backend:
      route: { handBack: false, by: json, agents: { billing: billing, support: { agent: support, when: It broke. } } }
  billing: { model: fast }
  support: { model: fast, instructions: Help. }
`,
    byHand(model) {
      const support = { agent: agent({ name: 'support', model, instructions: 'Help.' }), when: 'It broke.' }
      const agents = { billing: agent({ name: 'billing', model }), support }
      return agent({ name: 'a', model, backend: route({ handBack: false, by: 'json', agents }) })
    },
    turns: ['{"agent": "support", "reason": "It broke."}', 'Turn it off and on.'],
  })

  expect(declared).toEqual(coded)
  expect(declared.trace).toContain('answer "Turn it off and on."')
})
