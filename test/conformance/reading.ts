import { createHash } from 'node:crypto'
import type { Capture, Expected } from './capture.ts'
import type { Thought } from './replayCapture.ts'

/** A turn in the terms that our reading of a stream and an independent one have in common. */
export interface Reading {
  readonly text: string
  readonly reasoningLength: number
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly args: unknown }[]
  /** Tools that the provider ran itself: how many calls and how many results. */
  readonly providerTools: { readonly calls: number; readonly results: number }
}

/** Some providers give a call no id; the AI SDK makes one up then, and the recording cannot know it. */
export function readingOf({ parts }: Pick<Thought, 'parts'>, { tool_calls }: Expected): Reading {
  const calls = parts.filter((part) => part.type === 'tool-call')
  const own = calls.filter((call) => !call.providerExecuted)
  return {
    text: joined(parts, 'text'),
    reasoningLength: joined(parts, 'reasoning').length,
    calls: own.map(({ toolCallId, toolName: name, input: args }, index) => ({
      id: tool_calls[index]?.id === null ? undefined : toolCallId,
      name,
      args,
    })),
    providerTools: {
      calls: calls.length - own.length,
      results: parts.filter((part) => part.type === 'tool-result').length,
    },
  }
}

export function expectedReading({ expect }: Capture): Omit<Reading, 'providerTools'> {
  const { text, reasoning_length: reasoningLength, tool_calls } = expect
  const calls = tool_calls.map(({ id, name, arguments_raw }) => ({
    id: id ?? undefined,
    name,
    args: parsed(arguments_raw),
  }))
  return { text, reasoningLength, calls }
}

/** A call without arguments comes as an empty text. */
function parsed(raw: string): unknown {
  try {
    return raw.trim() === '' ? {} : JSON.parse(raw)
  } catch {
    return raw
  }
}

const joined = (parts: Thought['parts'], type: 'text' | 'reasoning'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')

export const reasoningHash = ({ parts }: Thought): string =>
  createHash('sha1').update(joined(parts, 'reasoning')).digest('hex')

/**
 * The recorded names of what the provider ran are those of its wire format, where a call and its result may be one item.
 * Of lists of tools the AI SDK makes no part.
 */
export function expectedProviderTools({ provider_tools: names }: Expected): Reading['providerTools'] {
  const isResult = (name: string): boolean => /result|output/i.test(name)
  const isCall = (name: string): boolean => /(^|_)use(:|$)|_call(:|$)|^executableCode/.test(name)
  const calls = names.filter((name) => isCall(name) && !isResult(name)).length
  return { calls, results: names.filter(isResult).length }
}

/** Why the model stopped. The interface "responses" tells the state of the response instead of a reason. */
export function finishAgrees({ finish }: Thought, { api, expect }: Capture): boolean {
  if (!finish || expect.finish === null) return expect.finish === null
  if (finish.raw === expect.finish) return true
  const states: Record<string, readonly string[]> = {
    completed: ['stop', 'tool-calls'],
    incomplete: ['length', 'content-filter', 'other'],
    failed: ['error'],
  }
  return api === 'responses' && (states[expect.finish]?.includes(finish.unified) ?? false)
}
