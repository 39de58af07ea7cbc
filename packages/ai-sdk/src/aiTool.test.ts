import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, type ToolSet } from '@interleave/core'
import { finishPart } from '@interleave/test-kit/providerParts'
import { scriptedModel } from '@interleave/testing'
import { tool } from 'ai'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { aiTool } from './aiTool.ts'

const model = () => scriptedModel({ calls: [{ name: 'find', input: { city: 'Porto' }, id: 'c1' }] }, 'Found.')
const inputSchema = z.object({ city: z.string() })

it('tells a tool of the AI SDK of its input while it is written, and when it is whole', async () => {
  const told: unknown[] = []
  const find = tool({
    inputSchema,
    onInputStart: ({ toolCallId }) => void told.push(['start', toolCallId]),
    onInputDelta: ({ inputTextDelta }) => void told.push(['delta', inputTextDelta]),
    onInputAvailable: ({ input, messages }) => void told.push(['available', input, messages.length]),
    execute: () => told.push('executed'),
  })

  await agent({ name: 'a', model: model(), tools: { find: aiTool(find) } }).start('Go').settled

  expect(told).toEqual([
    ['start', 'c1'],
    ['delta', '{"city":"Porto"}'],
    ['available', { city: 'Porto' }, 1],
    'executed',
  ])
})

it('continues when such a hook throws, and reports it', async () => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  const find = tool({ inputSchema, onInputStart: () => Promise.reject(new Error('no')), execute: () => 'Porto' })

  const signal = await agent({ name: 'a', model: model(), tools: { find: aiTool(find) } }).start('Go').settled
  vi.unstubAllGlobals()

  expect(signal).toMatchObject({ type: 'answer', output: 'Found.' })
  expect(reported).toHaveBeenCalledWith(new Error('no'))
})

it('tells the start of an input once, though a provider sends nothing at first', async () => {
  const told: string[] = []
  const find = tool({
    inputSchema,
    onInputStart: () => void told.push('start'),
    onInputDelta: ({ inputTextDelta }) => void told.push(inputTextDelta),
    execute: () => 'Porto',
  })
  const turn: LanguageModelV4StreamPart[] = [
    { type: 'tool-input-start', id: 'c1', toolName: 'find' },
    { type: 'tool-input-delta', id: 'c1', delta: '' },
    { type: 'tool-input-delta', id: 'c1', delta: '{"city":"Porto"}' },
    { type: 'tool-input-end', id: 'c1' },
    { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input: '{"city":"Porto"}' },
    finishPart('tool-calls'),
  ]

  await agent({ name: 'a', model: scriptedModel(turn, 'Found.'), tools: { find: aiTool(find) } }).start('Go').settled

  expect(told).toEqual(['start', '', '{"city":"Porto"}'])
})

it.each(['onInputStart', 'onInputDelta', 'onInputAvailable'])('is needed for a tool with %s', (hook) => {
  const find = tool({ inputSchema, execute: () => 'Porto', [hook]: () => {} })

  expect(() => agent({ name: 'a', model: model(), tools: { find } })).toThrow(/hook `onInput.*aiTool\(\)/)
})

const bill = z.object({ cents: z.number() })
const paid: number[] = []
const pay = ({ cents }: { cents: number }) => `paid ${paid.push(cents) && cents}`

function paying(tools: ToolSet, ...cents: number[]) {
  paid.length = 0
  const calls = cents.map((each) => ({ name: 'pay', input: { cents: each } }))
  return agent({ name: 'a', model: scriptedModel({ calls }, 'Done.'), tools }).start('Pay')
}

it('asks where needsApproval says so', async () => {
  const needsApproval = ({ cents }: { cents: number }) => cents > 100
  const run = paying({ pay: aiTool(tool({ inputSchema: bill, execute: pay, needsApproval })) }, 50, 500)

  expect(await run.settled).toMatchObject({ asks: [{ kind: 'approval', id: '1/tool/1/approval' }] })
  expect(paid).toEqual([50])
})

it('asks before each call with needsApproval: true, and before none without', async () => {
  const asked = paying({ pay: aiTool(tool({ inputSchema: bill, execute: pay, needsApproval: true })) }, 5)
  const free = paying({ pay: aiTool(tool({ inputSchema: bill, execute: pay })) }, 5)

  expect(await asked.settled).toMatchObject({ type: 'inputNeeded' })
  expect(await free.settled).toMatchObject({ type: 'answer' })
})

it('tells needsApproval which call it is, and what went before', async () => {
  const told: unknown[] = []
  const needsApproval = (_: unknown, { toolCallId, messages }: { toolCallId: string; messages: unknown[] }) => {
    told.push([toolCallId, messages.length])
    return false
  }

  await paying({ pay: aiTool(tool({ inputSchema: bill, execute: pay, needsApproval })) }, 50).settled

  expect(told).toEqual([['call-0-0', 1]])
})

it('is named where a tool with needsApproval is given as it is', () => {
  const given = tool({ inputSchema: bill, execute: pay, needsApproval: true })

  expect(() => paying({ pay: given })).toThrow('aiTool()')
})
