import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { finishPart } from '@interleave/test-kit/providerParts'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { agent } from '../index.ts'
import { problemMetadata } from './turnReader.ts'

const unreadable: LanguageModelV4StreamPart = {
  type: 'tool-call',
  toolCallId: 'action-1',
  toolName: 'malformed_step',
  input: '{"text":"I would search."}',
  providerMetadata: problemMetadata('Write an action.'),
}

it("answers an invalid call with the problem that its model found, and keeps the call's input", async () => {
  const model = scriptedModel([unreadable, finishPart('tool-calls')], 'Done.')

  const run = agent({ name: 'a', model }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(model.calls[1]?.prompt.slice(1)).toMatchObject([
    { role: 'assistant', content: [{ toolName: 'malformed_step', input: { text: 'I would search.' } }] },
    { role: 'tool', content: [{ output: { type: 'error-text', value: 'Write an action.' } }] },
  ])
})
