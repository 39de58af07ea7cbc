import { agent, approval, confirm, tool } from '@interleave/core'
import { agentTool, delegate, type ExternalAgent, route } from '@interleave/core/agents'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'
import type { GoldenCase } from '../GoldenCase.ts'
import { calling, look, looking } from './tools.ts'

const pay = tool({ inputSchema: z.object({ cents: z.number() }), approve: approval(), execute: () => 'paid' })

const clerk = agent({
  name: 'clerk',
  model: scriptedModel(calling('pay', { cents: 500 }), 'The bill is paid.'),
  tools: { pay },
})
const manager = agent({
  name: 'manager',
  model: scriptedModel(calling('clerk', { task: 'Pay the bill' }), 'The clerk paid it.'),
  tools: { clerk: agentTool(clerk, { description: 'Pays bills.' }) },
})

const routing = (name: string, more: object = {}) =>
  calling('route_to', { agent: name, reason: `It is for ${name}.`, ...more })
const support = agent({ name: 'support', model: scriptedModel(looking('fees'), 'There is a fee.'), tools: { look } })
const billing = agent({ name: 'billing', model: scriptedModel('It is waived.') })

const coder: ExternalAgent = {
  name: 'coder',
  async *run({ ask }) {
    yield { type: 'session', id: 'session-1' }
    yield { type: 'reasoning', delta: 'A file first.' }
    yield { type: 'toolCall', id: 'a', name: 'read', input: { file: 'a.ts' } }
    yield { type: 'toolResult', id: 'a', output: 'const a = 1' }
    const may = await ask('edit', confirm({ prompt: 'Edit a.ts?' }))
    yield { type: 'text', delta: may ? 'Edited.' : 'Left as it is.' }
    yield { type: 'usage', input: 30, output: 20 }
    yield { type: 'done' }
  },
}

export const manyAgents: readonly GoldenCase[] = [
  {
    name: 'agents-below-one-another-with-an-approval',
    agent: agent({
      name: 'director',
      model: scriptedModel(calling('manager', { task: 'See to the bill' }), 'All is paid.'),
      tools: { manager: agentTool(manager, { description: 'Sees to things.' }) },
    }),
    input: 'The bill, please',
    whenSettled: [(run) => run.reply('1/tool/0>1/tool/0>1/tool/0/approval', { approved: true })],
  },
  {
    name: 'routed-from-one-agent-to-another',
    agent: agent({
      name: 'desk',
      model: scriptedModel(
        routing('nobody'),
        routing('support'),
        routing('billing', { message: 'Waive it.' }),
        routing('end'),
      ),
      backend: route({ agents: { support: { agent: support, when: 'Questions.' }, billing } }),
    }),
    input: 'Why do I pay this?',
  },
  {
    name: 'delegated-to-an-external-agent',
    agent: agent({ name: 'dev', backend: delegate(coder) }),
    input: 'Fix a.ts',
    whenSettled: [(run) => run.reply('1/external/coder/edit', true)],
  },
]
