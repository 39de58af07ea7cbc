import { agent, answer } from '@interleave/core'
import { type ChatMessage, messagesOf } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { clientTool, type RemoteRun, workerAgent } from './index.ts'

const highlight = clientTool({ inputSchema: z.object({ text: z.string() }), outputSchema: z.number() })
const guide = agent({
  name: 'guide',
  model: scriptedModel(),
  tools: { highlight },
  output: answer(z.object({ stars: z.number() })),
})
declare const worker: Worker | SharedWorker | MessagePort

it('has the output and the tools of the agent', () => {
  const run = workerAgent<typeof guide>(worker, 'guide').start('Go')

  expectTypeOf(run).toEqualTypeOf<RemoteRun<{ stars: number }, { highlight: typeof highlight }>>()
  expectTypeOf(messagesOf(run)).toEqualTypeOf<readonly ChatMessage<typeof guide>[]>()
  expectTypeOf(workerAgent(worker, 'guide').start('Go')).toEqualTypeOf<RemoteRun<unknown>>()
})

it('types functions by what the worker declares', () => {
  type Tools = { highlight: typeof highlight }

  workerAgent<typeof guide, Tools>(worker, 'guide', { tools: { highlight: ({ text }) => text.length } })
  // @ts-expect-error the output is a number
  workerAgent<typeof guide, Tools>(worker, 'guide', { tools: { highlight: ({ text }) => text } })
  // @ts-expect-error the worker declares no such tool
  workerAgent<typeof guide, Tools>(worker, 'guide', { tools: { color: () => 1 } })
})

it('takes any function where no declaration is given, if it says what it takes', () => {
  workerAgent(worker, 'guide', { tools: { highlight: ({ text }: { text: string }) => text } })
})

it('has its function in the page only', () => {
  // @ts-expect-error the page has the function
  clientTool({ inputSchema: z.object({}), execute: () => 1 })
})
