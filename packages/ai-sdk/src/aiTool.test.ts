import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent } from '@interleave/core'
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

it('goes on when such a hook throws, and reports it', async () => {
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
