import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { AnswerFormat } from './answerFormat.ts'
import type { PromptMessage } from './promptApi.ts'

/** A conversation for the Prompt API: the earlier messages, and the message to answer. */
export interface Prompts {
  readonly initial: readonly PromptMessage[]
  readonly input: string
  /** The number of files that the model did not receive. */
  readonly files: number
}

/** Converts a prompt to messages of plain text, with one system message at its beginning. */
export function toPrompts(prompt: LanguageModelV4Prompt, format: AnswerFormat): Prompts {
  const system = prompt.flatMap((message) => (message.role === 'system' ? [message.content] : []))
  const said = joinRoles(prompt.flatMap((message) => toMessage(message, format)))
  const last = said.at(-1)
  const isAsked = last?.role === 'user'
  const instructions = [...system, format.instructions].filter(Boolean).join('\n\n')
  return {
    initial: [
      ...(instructions ? [{ role: 'system', content: instructions } as const] : []),
      ...(isAsked ? said.slice(0, -1) : said),
    ],
    input: isAsked ? last.content : 'Go on.',
    files: prompt.flatMap((message) => (message.role === 'user' ? message.content : [])).filter(isFile).length,
  }
}

const isFile = ({ type }: { readonly type: string }): boolean => type === 'file'

function toMessage(message: LanguageModelV4Message, { isObject }: AnswerFormat): readonly PromptMessage[] {
  switch (message.role) {
    case 'system':
      return []
    case 'user': {
      const parts = message.content.map((part) =>
        part.type === 'text'
          ? part.text
          : `[The user attached ${part.filename ?? 'a file'} (${part.mediaType}), which you cannot see.]`,
      )
      return [{ role: 'user', content: parts.join('\n') }]
    }
    case 'assistant':
      return [{ role: 'assistant', content: answerText(message, isObject) }]
    case 'tool': {
      const results = message.content.filter((part) => part.type === 'tool-result')
      return results.map((part) => ({ role: 'user', content: resultText(part) }))
    }
  }
}

/** Returns an earlier turn in the current answer format. */
function answerText({ content }: Extract<LanguageModelV4Message, { role: 'assistant' }>, asObject: boolean): string {
  const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  if (!asObject) return text
  const calls = content.flatMap((part) =>
    part.type === 'tool-call' ? [{ tool: part.toolName, input: part.input }] : [],
  )
  return JSON.stringify({ text, calls })
}

function resultText({ toolName, output }: LanguageModelV4ToolResultPart): string {
  switch (output.type) {
    case 'text':
      return `Result of ${toolName}: ${output.value}`
    case 'json':
      return `Result of ${toolName}: ${JSON.stringify(output.value)}`
    case 'error-text':
      return `${toolName} failed: ${output.value}`
    case 'error-json':
      return `${toolName} failed: ${JSON.stringify(output.value)}`
    case 'execution-denied':
      return `${toolName} was not allowed${output.reason ? `: ${output.reason}` : '.'}`
    case 'content': {
      const texts = output.value.map((part) => (part.type === 'text' ? part.text : '[a file, which you cannot see]'))
      return `Result of ${toolName}: ${texts.join('\n')}`
    }
  }
}

/** Merges the results of several calls into one message: models expect user and assistant to take turns. */
function joinRoles(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  const joined: PromptMessage[] = []
  for (const message of messages) {
    const last = joined.at(-1)
    if (last?.role === message.role && message.role === 'user')
      joined[joined.length - 1] = { ...last, content: `${last.content}\n${message.content}` }
    else joined.push(message)
  }
  return joined
}
