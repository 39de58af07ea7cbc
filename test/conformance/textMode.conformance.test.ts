import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { agent, type Run } from '@interleave/core'
import { type TextModeOptions, textMode, textModeMiddleware } from '@interleave/text'
import { isStepCount, streamText, tool, wrapLanguageModel } from 'ai'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { startTextServer, type TextServer } from './textServer.ts'

const asked: string[] = []
const search = tool({
  description: 'Searches the encyclopedia.',
  inputSchema: z.object({ query: z.string() }),
  execute: ({ query }) => {
    asked.push(query)
    return `${query} 漢字 is on the Seine.`
  },
})

/** The text of small models that continue with an invented observation, and an answer from it. */
const ramble = '\nObservation: Paris is in Texas.\nThought: I know.\nFinal Answer: In Texas.\n'
const look = 'Thought: I look for 漢字.\nAction: search\nAction Input: {"query": "Paris"}'
const answer = 'Thought: Now I know.\nFinal Answer: On the Seine, 漢字.'

interface Serving {
  readonly texts: readonly string[]
  readonly stops?: boolean
  readonly size?: number
}
async function serve({ texts, stops = true, size = 64 }: Serving): Promise<TextServer> {
  const server = await startTextServer({ texts, stops, size })
  onTestFinished(() => server.close())
  return server
}
const modelOf = ({ baseURL }: TextServer) =>
  createOpenAICompatible({ name: 'tiny', baseURL, includeUsage: true })('tiny')

async function ask(server: TextServer, options?: TextModeOptions): Promise<Run> {
  const run = agent({ name: 'a', model: textMode(modelOf(server), options), tools: { search } }).start(
    'Where is Paris?',
  )
  await run.settled
  return run
}

it.each([1, 7, 64, 100_000])('gives tools to a model that only writes, in chunks of %i bytes', async (size) => {
  const server = await serve({ texts: [look + ramble, answer], size })

  const run = await ask(server)

  expect(run.state.signal).toEqual({ type: 'answer', output: 'On the Seine, 漢字.', reason: 'text' })
  expect(run.state.usage).toMatchObject({ inputTokens: 200 })
})

it('asks in the protocol of a plain chat: no tools, stop sequences, and roles that take turns', async () => {
  const server = await serve({ texts: [look + ramble, answer] })

  await ask(server)

  expect(server.requests.map(({ stop, tools, tool_choice }) => [stop, tools, tool_choice])).toEqual(
    Array.from({ length: 2 }, () => [['\nObservation:'], undefined, undefined]),
  )
  expect(server.requests[1]?.messages.slice(1)).toEqual([
    { role: 'user', content: 'Where is Paris?' },
    { role: 'assistant', content: look },
    { role: 'user', content: 'Observation: Paris 漢字 is on the Seine.' },
  ])
})

it('believes nothing that the model observed itself, where the server knows no stop sequences', async () => {
  asked.length = 0
  const endless = ramble + 'And so on. '.repeat(5_000)
  const server = await serve({ texts: [look + endless, answer + endless], stops: false, size: 1_000 })

  const run = await ask(server)

  expect(run.state.signal).toMatchObject({ type: 'answer', output: 'On the Seine, 漢字.' })
  expect(asked).toEqual(['Paris'])
  await expect.poll(server.broken).toBe(2)
  // An abandoned stream has reported no tokens, so they are estimated.
  expect(run.state.usage.inputTokens).toBeGreaterThan(0)
  expect(run.state.usage.outputTokens).toBeGreaterThan(0)
})

it.each([true, false])('reads the same from a server of which it is %s that it knows stop sequences', async (stops) => {
  const texts = [
    'Thought 1: I look.\nAction 1: search[Paris]\nObservation 1: In Texas.',
    'Action 2: Finish[The Seine]\nObservation 2: Done.',
  ]
  const server = await serve({ texts, stops })

  expect((await ask(server, { format: 'react-numbered-bracket' })).state.signal).toMatchObject({ output: 'The Seine' })
})

it('drives the loop of the AI SDK as well, problems included', async () => {
  const server = await serve({ texts: ['I will search for it.', look + ramble, answer] })
  const model = wrapLanguageModel({ model: modelOf(server), middleware: textModeMiddleware() })

  const result = streamText({ model, prompt: 'Where is Paris?', tools: { search }, stopWhen: isStepCount(5) })

  expect(await result.text).toBe('On the Seine, 漢字.')
  expect(server.requests[1]?.messages.slice(2)).toEqual([
    { role: 'assistant', content: 'I will search for it.' },
    { role: 'user', content: expect.stringMatching(/^Observation: There is no step in what you wrote/) },
  ])
})
