import type { LanguageModelV4 } from '@ai-sdk/provider'
import { agent, type Event, type Run, reasonAct, type Signal, type ToolSet, textAnswer } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { eventsOf, isKept } from '@interleave/core/observe'
import { jsonSchema } from 'ai'
import type { Capture } from './capture.ts'
import { modelFor } from './providers.ts'
import { recut } from './recut.ts'
import { type Sending, sendingHeaders } from './replayServer.ts'

export type Thought = Extract<Event, { type: 'thought' }>

export interface ReplayedCapture {
  readonly run: Run
  readonly signal: Signal
  readonly thought: Thought
}

/** A key that must never be seen again in anything that a run tells or keeps. */
export const secret = 'sk-conformance-5up3r53cr3t'

/** The real provider, fed with what was recorded of it. */
export function modelOf(capture: Capture, url: string, sending: Sending = {}): LanguageModelV4 {
  const byByte = sending.split === '1'
  return modelFor(capture, {
    baseURL: `${url}/f/${capture.id}/v1`,
    apiKey: secret,
    headers: sendingHeaders(byByte ? { ...sending, split: 'whole' } : sending),
    ...(byByte && { fetch: recut('1') }),
  })
}

/** Runs one turn of an agent with that model. */
export async function replayCapture(capture: Capture, url: string, sending: Sending = {}): Promise<ReplayedCapture> {
  const run = agent({
    name: 'replay',
    model: modelOf(capture, url, sending),
    tools: permissiveTools([capture]),
    backend: reasonAct({ stop: textAnswer(), limits: { iterations: 1 }, think: { retries: 0 } }),
  }).start('Go on.', { journal: memoryJournal() })
  const signal = await run.settled
  const thought = (await thoughtsOf(run))[0]
  if (!thought) throw new Error(`There is no thought, but: ${JSON.stringify(signal)}`)
  return { run, signal, thought }
}

export async function thoughtsOf(run: Run): Promise<Thought[]> {
  const thoughts: Thought[] = []
  for await (const event of eventsOf(run)) if (isKept(event) && event.type === 'thought') thoughts.push(event)
  return thoughts
}

export const toolAnswer = 'It is as recorded.'

/** A tool of every name that was told to the model or called by it, which takes anything. */
export function permissiveTools(captures: readonly Capture[]): ToolSet {
  const names = captures.flatMap(({ request, expect }) => [
    ...(request?.tools ?? []),
    ...expect.tool_calls.map(({ name }) => name),
  ])
  const usable = names.filter((name) => typeof name === 'string' && /^[\w-]{1,64}$/.test(name))
  const tool = { inputSchema: jsonSchema({ type: 'object' }), execute: () => toolAnswer }
  return Object.fromEntries(usable.map((name) => [name, tool]))
}
