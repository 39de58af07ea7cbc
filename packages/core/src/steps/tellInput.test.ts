import { tool } from 'ai'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { agent } from '../index.ts'
import { scriptedModel } from '../testing/index.ts'

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

  await agent({ name: 'a', model: model(), tools: { find } }).start('Go').settled

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

  const signal = await agent({ name: 'a', model: model(), tools: { find } }).start('Go').settled
  vi.unstubAllGlobals()

  expect(signal).toMatchObject({ type: 'answer', output: 'Found.' })
  expect(reported).toHaveBeenCalledWith(new Error('no'))
})
