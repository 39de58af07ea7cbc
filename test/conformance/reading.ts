import { createHash } from 'node:crypto'
import type { Capture, Expected } from './capture.ts'
import type { Thought } from './replayCapture.ts'

/** A turn in the terms that our reading of a stream and an independent one have in common. */
export interface Reading {
  readonly text: string
  readonly calls: readonly { readonly id: string | undefined; readonly name: string; readonly args: unknown }[]
  /** Tools that the provider ran itself: how many calls and how many results. */
  readonly providerTools: { readonly calls: number; readonly results: number }
}

/**
 * Returns a reading to compare. Some providers send no id for a call; the AI SDK then generates one, which the
 * recording cannot know.
 */
export function readingOf({ parts }: Pick<Thought, 'parts'>, expected: Expected): Reading {
  const { tool_calls } = expected
  const calls = parts.filter((part) => part.type === 'tool-call')
  const own = calls.filter((call) => !call.providerExecuted && !isOfProvider(call.toolName, expected))
  return {
    text: textOf({ parts }),
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

/**
 * Returns true if a call is an item of the provider's own that an app has to run, such as a `local_shell_call`: the AI SDK
 * gives it as a call of the tool `local_shell`. The independent reader counts it with what the provider runs.
 */
const isOfProvider = (tool: string, { provider_tools, tool_calls }: Expected): boolean =>
  provider_tools.includes(`${tool}_call`) && !tool_calls.some(({ name }) => name === tool)

export function expectedReading({ expect }: Capture): Omit<Reading, 'providerTools'> {
  const { text, tool_calls } = expect
  const calls = tool_calls.map(({ id, name, arguments_raw }) => ({
    id: id ?? undefined,
    name,
    args: parsed(arguments_raw),
  }))
  return { text, calls }
}

/** A call without arguments comes as an empty text. */
function parsed(raw: string): unknown {
  try {
    return raw.trim() === '' ? {} : JSON.parse(raw)
  } catch {
    return raw
  }
}

export const textOf = ({ parts }: Pick<Thought, 'parts'>): string => joined(parts, 'text')

const joined = (parts: Thought['parts'], type: 'text' | 'reasoning'): string =>
  parts.map((part) => (part.type === type ? part.text : '')).join('')

/** The hash is recorded by its beginning, and the length in code points or in code units. */
export function reasoningAgrees({ parts }: Thought, { reasoning_length, reasoning_sha1 }: Expected): boolean {
  const reasoning = joined(parts, 'reasoning')
  const hash = createHash('sha1').update(reasoning).digest('hex')
  const lengths = [reasoning.length, [...reasoning].length]
  return lengths.includes(reasoning_length) && hash.startsWith(reasoning_sha1 ?? '')
}

/**
 * At least how much of what the provider ran is to be there. The recorded names are those of its wire format, where a call
 * and its result may be one item, and a list of tools is an item too; the AI SDK makes a result of each call that ended.
 */
export function expectedProviderTools({ provider_tools: names }: Expected): Reading['providerTools'] {
  const results = names.filter((name) => /result|output/i.test(name))
  const calls = names.filter((name) => !results.includes(name) && ranByProvider.test(name))
  return { calls: calls.length, results: results.length }
}

const ranByProvider =
  /_use(:|$)|^executableCode|^(web_search|file_search|code_interpreter|image_generation|mcp|tool_search)_call/

/** Why the model stopped. The interface "responses" tells the state of the response instead of a reason. */
export function finishAgrees({ finish }: Thought, { api, expect }: Capture): boolean {
  if (!finish || expect.finish === null) return false
  if (finish.raw === expect.finish) return true
  const states: Record<string, readonly string[]> = {
    completed: ['stop', 'tool-calls'],
    incomplete: ['length', 'content-filter', 'other'],
    failed: ['error'],
  }
  return api === 'responses' && (states[expect.finish]?.includes(finish.unified) ?? false)
}

/** Providers wrap the message of an error in one object or several. */
export function messageIn(error: unknown): string {
  if (typeof error === 'string') return error
  const { message, error: inner } = (error ?? {}) as { message?: unknown; error?: unknown }
  return typeof message === 'string' ? message : inner ? messageIn(inner) : ''
}
