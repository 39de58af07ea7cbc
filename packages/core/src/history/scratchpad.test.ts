import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishPart } from '@interleave/test-kit/providerParts'
import { manualHost, scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { agent, type RunState, tool } from '../index.ts'
import { scratchpad } from './scratchpad.ts'

const add = tool({ inputSchema: z.object({ a: z.number(), b: z.number() }), execute: ({ a, b }) => a + b })
const script = [
  {
    reasoning: 'Sum first.',
    text: 'I add.',
    calls: [
      { name: 'add', input: { a: 1, b: 2 } },
      { name: 'add', input: {} },
    ],
  },
  'Three.',
] as const
const start = () =>
  agent({ name: 'a', model: scriptedModel(...script), tools: { add } }).start('1 + 2?', { host: manualHost() })

it('shows thoughts, actions and observations, each with its position and cost', async () => {
  const run = start()
  await run.settled

  const [thought, ...others] = scratchpad(run.state)

  expect(thought).toMatchObject({
    type: 'thought',
    iteration: 1,
    at: 0,
    text: 'I add.',
    reasoning: 'Sum first.',
    usage: { inputTokens: 10 },
  })
  expect(others).toMatchObject([
    { type: 'action', iteration: 1, call: '1/tool/0', tool: 'add', input: { a: 1, b: 2 } },
    { type: 'observation', iteration: 1, call: '1/tool/0', output: 3 },
    { type: 'action', call: '1/tool/1' },
    { type: 'observation', call: '1/tool/1', error: { code: 'tool_input_invalid' } },
    { type: 'thought', iteration: 2, text: 'Three.' },
  ])
})

it('shows what the provider did itself, before what the agent did', async () => {
  const search = { toolCallId: 'c', toolName: 'search' }
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'tool-call', ...search, input: '{"q":"x"}', providerExecuted: true },
    { type: 'tool-result', ...search, result: ['found'] },
    { type: 'tool-result', ...search, result: 'too busy', isError: true },
    { type: 'tool-call', toolCallId: 'd', toolName: 'add', input: '{"a":1,"b":2}' },
  ]
  const run = agent({
    name: 'a',
    model: scriptedModel(parts.concat(finishPart('tool-calls')), 'Done.'),
    tools: { add },
  }).start('Go')
  await run.settled

  expect(scratchpad(run.state).slice(1, 5)).toMatchObject([
    { type: 'action', iteration: 1, call: '1/provider/c', tool: 'search', input: { q: 'x' } },
    { type: 'observation', call: '1/provider/c', output: ['found'] },
    { type: 'observation', output: 'too busy', error: { code: 'tool_failed', message: 'too busy' } },
    { type: 'action', call: '1/tool/0' },
  ])
})

it('is the same array for the same history, and has the same entries for the same turns', async () => {
  const run = start()
  const states: RunState[] = []
  run.subscribe((_, state) => states.push(state))
  await run.settled

  for (const [index, state] of states.entries()) {
    const before = states[index - 1]
    if (before?.history === state.history) expect(scratchpad(state)).toBe(scratchpad(before))
  }
  const [early, late] = [states.find(({ iteration }) => iteration === 2), states.at(-1)]
  expect(scratchpad({ history: late?.history ?? [] })[0]).toBe(scratchpad({ history: early?.history ?? [] })[0])
})

it('is empty before the first thought', async () => {
  const run = agent({ name: 'a', model: scriptedModel(() => new Promise(() => {})) }).start('x')

  expect(scratchpad(run.state)).toEqual([])
  await run.stop()
})
