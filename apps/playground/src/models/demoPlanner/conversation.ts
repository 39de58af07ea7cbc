import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { resultText } from '@interleave/core/internal'
import { stoppedByUser } from '../../run/stoppedByUser.ts'

/** The result of a tool call. */
export interface Observation {
  readonly tool: string
  readonly input: unknown
  readonly status: 'ok' | 'failed' | 'refused'
  readonly value: unknown
}

/** One message of the user and what was done about it. */
export interface Exchange {
  readonly request: string
  readonly observations: readonly Observation[]
  /** The text that ended it, if it ended. */
  readonly reply: string | undefined
}

/** The messages of a call as exchanges, the latest last. */
export function readConversation(prompt: LanguageModelV4Prompt): Exchange[] {
  const exchanges: Exchange[] = []
  const inputs = new Map<string, unknown>()
  for (const message of prompt) {
    if (message.role === 'user') begin(exchanges, textOf(message))
    if (message.role !== 'assistant' && message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
      if (part.type === 'tool-result' && !isStopped(part))
        observe(exchanges, observed(part, inputs.get(part.toolCallId)))
      if (part.type === 'text') reply(exchanges, part.text)
    }
  }
  return exchanges
}

/** A message that arrives during the work belongs to the request that is being worked on. */
function begin(exchanges: Exchange[], request: string): void {
  const last = exchanges.at(-1)
  const isContinued = last && last.reply === undefined && (last.observations.at(-1)?.status ?? 'ok') === 'ok'
  if (isContinued) exchanges[exchanges.length - 1] = { ...last, request: `${last.request}\n${request}` }
  else exchanges.push({ request, observations: [], reply: undefined })
}

function observe(exchanges: Exchange[], observation: Observation): void {
  const last = exchanges.at(-1)
  if (last) exchanges[exchanges.length - 1] = { ...last, observations: [...last.observations, observation] }
}

function reply(exchanges: Exchange[], text: string): void {
  const last = exchanges.at(-1)
  if (last) exchanges[exchanges.length - 1] = { ...last, reply: text }
}

/** The part of a message that is read, in characters. */
const longest = 2_000

const textOf = ({ content }: Extract<LanguageModelV4Message, { role: 'user' }>): string =>
  content
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\n\s*/g, '\n')
    .trim()
    .slice(0, longest)

interface Result {
  readonly toolName: string
  readonly output: LanguageModelV4ToolResultOutput
}

/** A user who resumes a run wants the calls that the stop has ended. */
const isStopped = ({ output }: Result): boolean => output.type === 'error-text' && output.value === stoppedByUser

const observed = ({ toolName: tool, output }: Result, input: unknown): Observation => ({
  tool,
  input,
  status: statusOf(output),
  value: plainValue(output),
})

function statusOf({ type }: LanguageModelV4ToolResultOutput): Observation['status'] {
  if (type === 'execution-denied') return 'refused'
  return type.startsWith('error') ? 'failed' : 'ok'
}

function plainValue(output: LanguageModelV4ToolResultOutput): unknown {
  if (output.type === 'json' || output.type === 'error-json') return withoutOrigin(output.value)
  return output.type === 'execution-denied' ? output.reason : resultText(output)
}

/**
 * The data of another party, such as an MCP server, has a note about its origin. A rule-based planner does not need
 * that.
 */
const withoutOrigin = (value: unknown): unknown =>
  value && typeof value === 'object' && 'trusted' in value && value.trusted === false && 'result' in value
    ? value.result
    : value
