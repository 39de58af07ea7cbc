import path from 'node:path'
import { messagesOf } from '@interleave/core/observe'
import { afterAll, expect, it } from 'vitest'
import { expectTheSame } from './asRecorded.ts'
import type { Capture, Expected } from './capture.ts'
import { dataFolder } from './data.ts'
import { replayCapture, thoughtsOf } from './replayCapture.ts'
import { startReplayServer } from './replayServer.ts'

// Streams that no recording of the sample has: a provider that pauses, one that asks, and a tool of the provider's own that
// an app has to run.

const plain: Expected = {
  text: '',
  reasoning_length: 0,
  reasoning_sha1: null,
  tool_calls: [],
  finish: 'completed',
  error: null,
  provider_tools: [],
}

const captureOf = (name: string, provider: string, api: string, expected: Partial<Expected>): Capture => ({
  id: name,
  provider,
  api,
  framing: 'sse',
  file: path.relative(path.join(dataFolder, 'sse'), path.join(import.meta.dirname, 'own', `${name}.sse`)),
  expect: { ...plain, ...expected },
})

const pause = captureOf('pause', 'anthropic', 'anthropic', {
  text: 'I am searching.',
  finish: 'pause_turn',
  provider_tools: ['server_tool_use:web_search'],
})
const approval = captureOf('approval', 'openai', 'responses', { provider_tools: ['mcp_approval_request'] })
const shell = captureOf('shell', 'openai', 'responses', { provider_tools: ['local_shell_call'] })
const server = await startReplayServer({ captures: [pause, approval, shell], scenarios: [], errors: [] })
afterAll(() => server.close())

it.each([pause, approval, shell])('reads $id the same however it is split', (capture) =>
  expectTheSame(capture, server.url),
)

it('continues after a pause of the provider', async () => {
  expect((await replayCapture(pause, server.url)).signal).toMatchObject({ type: 'limitReached' })
})

it('asks the user about a call of the provider', async () => {
  const { signal } = await replayCapture(approval, server.url)

  expect(signal).toMatchObject({ type: 'inputNeeded', asks: [{ input: { city: 'Berlin' } }] })
})

it('names a tool of the provider that the agent does not have as the AI SDK does', async () => {
  const { run } = await replayCapture(shell, server.url)

  expect((await thoughtsOf(run))[0]?.parts).toMatchObject([
    { type: 'tool-call', toolName: 'local_shell', input: { action: { command: ['ls'] } } },
  ])
  const observed = messagesOf(run.state).filter((message) => message.type === 'call')
  expect(observed).toMatchObject([{ tool: 'local_shell', error: { code: 'tool_unknown' } }])
})
