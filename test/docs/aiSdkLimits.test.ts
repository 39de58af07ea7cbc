import { scriptedModel } from '@interleave/testing'
import { streamText, ToolLoopAgent, tool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'

/** The page about other libraries compares these limits with ours. */
it('knows after how many steps the AI SDK ends', async () => {
  const model = () => scriptedModel(() => ({ calls: [{ name: 'look', input: {} }] }))
  const tools = { look: tool({ inputSchema: z.object({}), execute: () => 'Nothing.' }) }
  const [ofAgent, ofStream] = [model(), model()]

  await (await new ToolLoopAgent({ model: ofAgent, tools }).stream({ prompt: 'Go' })).consumeStream()
  await streamText({ model: ofStream, tools, prompt: 'Go' }).consumeStream()

  expect([ofAgent.calls.length, ofStream.calls.length]).toEqual([20, 1])
})
