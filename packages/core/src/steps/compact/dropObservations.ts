import type { LanguageModelV4Message, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider'
import { estimateMessages } from './estimate.ts'
import type { CompactionStrategy } from './strategy.ts'

export interface DropObservationsOptions {
  /** Tools whose results stay. */
  except?: readonly string[]
  /** Results of so many tokens stay; 50 by default. */
  upTo?: number
}

/**
 * Replaces each old result with a short marker of its size. The calls and their inputs stay. Results of tools that the
 * provider runs stay too, because it needs them unchanged.
 */
export function dropObservations({ except = [], upTo = 50 }: DropObservationsOptions = {}): CompactionStrategy {
  const drop = (part: ToolPart): ToolPart => {
    if (part.type !== 'tool-result' || except.includes(part.toolName)) return part
    const tokens = estimateMessages([{ role: 'tool', content: [part] }])
    return tokens > upTo ? { ...part, output: toMark(part.output, tokens) } : part
  }
  return {
    name: 'dropObservations',
    shorten: ({ pieces }) => ({
      messages: pieces.flatMap(({ messages }) =>
        messages.map((message) =>
          message.role === 'tool' ? { ...message, content: message.content.map(drop) } : message,
        ),
      ),
    }),
  }
}

type ToolPart = Extract<LanguageModelV4Message, { role: 'tool' }>['content'][number]

/** That a call failed stays known. */
function toMark({ type }: LanguageModelV4ToolResultOutput, tokens: number): LanguageModelV4ToolResultOutput {
  const failed = type === 'error-text' || type === 'error-json'
  return { type: failed ? 'error-text' : 'text', value: `[Left out: a result of about ${tokens} tokens.]` }
}
