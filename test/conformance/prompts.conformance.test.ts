import type { LanguageModelV4, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { type Agent, agent, type Run, reasonAct, type Signal } from '@interleave/core'
import { isStepCount, type ModelMessage, streamText, type ToolSet, wrapLanguageModel } from 'ai'
import { convertToLanguageModelPrompt } from 'ai/internal'
import { afterAll, expect, it } from 'vitest'
import { type Capture, manifestFile, readManifest } from './capture.ts'
import { needsData } from './needsData.ts'
import { modelOf, permissiveTools } from './replayCapture.ts'
import { startReplayServer } from './replayServer.ts'
import { tallying } from './tally.ts'

const manifest = readManifest()
const server = await startReplayServer(manifest)
const tallyRow = tallying({ file: manifestFile, of: manifest.captures.length })
const captures = manifest.captures.filter(({ expect: { error, finish } }) => !error && finish !== null)
afterAll(() => server.close())
needsData(manifestFile)

it.concurrent.for(captures)('gives $id back as the AI SDK does', async (capture, { task }) => {
  tallyRow(task, 'prompts', { row: capture.id, parts: 1 })

  const { ours, said } = await promptAfter(capture)

  expect(comparable(ours)).toEqual(comparable(await theirPrompt(capture, said)))
})

/** Returns the prompt after the turn, and whether a user message was necessary to continue. */
async function promptAfter(capture: Capture): Promise<{ ours: LanguageModelV4Prompt; said: boolean }> {
  const prompts: LanguageModelV4Prompt[] = []
  const replaying: Agent = agent({
    name: 'replay',
    model: listening(modelOf(capture, server.url), prompts),
    tools: permissiveTools([capture]),
    backend: reasonAct({ think: { retries: 0 }, limits: { iterations: 1 } }),
  })
  const run = replaying.start('Go on.')
  const said = await proceed(run, await run.settled)
  await run.settled
  return { ours: prompts[1] ?? [], said }
}

async function proceed(run: Run, signal: Signal): Promise<boolean> {
  if (signal.type === 'limitReached') await run.reply(signal.ask.id, { extend: 1 })
  else await run.say('More.')
  return signal.type !== 'limitReached'
}

/** The model, and what it is given. */
function listening(model: LanguageModelV4, prompts: LanguageModelV4Prompt[]): LanguageModelV4 {
  return wrapLanguageModel({
    model,
    middleware: {
      specificationVersion: 'v4',
      wrapStream({ doStream, params }) {
        prompts.push(params.prompt)
        return doStream()
      },
    },
  })
}

/** The same by the AI SDK's own loop and its own conversion. */
async function theirPrompt(capture: Capture, said: boolean): Promise<LanguageModelV4Prompt> {
  const tools = permissiveTools([capture]) as ToolSet
  const result = streamText({
    model: modelOf(capture, server.url),
    prompt: 'Go on.',
    tools,
    stopWhen: isStepCount(1),
    maxRetries: 0,
  })
  const messages: ModelMessage[] = [
    { role: 'user', content: 'Go on.' },
    ...(await result.response).messages,
    ...(said ? [{ role: 'user' as const, content: 'More.' }] : []),
  ]
  const prompt = { instructions: undefined, messages }
  return convertToLanguageModelPrompt({ prompt, supportedUrls: {}, download: undefined })
}

/** Ids that the AI SDK makes up differ each time: each is called by its place. */
function comparable(prompt: LanguageModelV4Prompt): unknown {
  const ids: unknown[] = []
  return JSON.parse(JSON.stringify(prompt), (key, value: unknown) => {
    if (key !== 'toolCallId') return value
    if (!ids.includes(value)) ids.push(value)
    return ids.indexOf(value)
  })
}
