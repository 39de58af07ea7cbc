import { scratchpad } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agentFrom } from '../agents/agentFrom.ts'
import { agents } from '../agents/index.ts'
import { callAlone } from './ToolBench.tsx'

const agentOf = (id: string) =>
  agentFrom(agents.find((offer) => offer.id === id)?.file ?? '', { model: scriptedModel() })
const observed = (run: ReturnType<typeof callAlone>) => scratchpad(run.state).find(({ type }) => type === 'observation')

it('gives what the tool gives', async () => {
  const run = callAlone(agentOf('calculator'), { tool: 'calculate', input: { expression: '2 + 2' } })
  await run.settled

  expect(observed(run)).toMatchObject({ tool: 'calculate', output: expect.objectContaining({ result: 4 }) })
})

it('has the input checked as a model has', async () => {
  const run = callAlone(agentOf('calculator'), { tool: 'calculate', input: { expresion: '2 + 2' } })
  await run.settled

  expect(observed(run)).toMatchObject({ error: { code: 'tool_input_invalid' } })
})

it('asks for approval before anything happens, and takes no for an answer', async () => {
  const run = callAlone(agentOf('trip'), { tool: 'book', input: { id: 'RAIL-PAR-AMS-0720', travellers: 1 } })
  await run.settled
  const [ask] = run.state.asks
  expect(ask).toMatchObject({ kind: 'approval' })

  await run.reply(ask?.id ?? '', { approved: false })
  await run.settled

  expect(observed(run)).toMatchObject({ error: { code: 'tool_refused' } })
})

it('knows only the tools of the agent', () => {
  expect(() => callAlone(agentOf('trip'), { tool: 'constructor', input: {} })).toThrow('no tool')
})
