import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { asPlain, isObject } from './json.ts'
import { demand } from './options.ts'
import { fileAdvice, type GivenContent, readFilePart, type UserContent } from './part.ts'

/**
 * Returns message content that may be stored in a log. Content that cannot be read back would make the whole run
 * unreadable.
 */
export function plainContent(content: GivenContent): UserContent {
  if (typeof content === 'string') return content
  const plain = asPlain(withFiles(content, 'A message'))
  const wrong = misfitOfParts(plain)
  const advice = 'Give a text, or a list of parts of type "text" and "file".'
  demand(wrong === undefined, `A message has a wrong or missing "${wrong || 'content'}". ${advice}`)
  return plain as UserContent
}

/** Messages of an earlier conversation, likewise. */
export function plainMessages(messages: readonly LanguageModelV4Message[]): readonly LanguageModelV4Message[] {
  const given = Array.isArray(messages) ? messages.map(withFilesInside) : messages
  const plain = asPlain(given)
  const wrong = Array.isArray(plain) ? firstOf(plain, misfitOfMessage) : ''
  const advice = 'Give messages as the model interface has them: { role: "user", content: [{ type: "text", text }] }.'
  demand(wrong === undefined, `The history has a wrong or missing "${wrong || 'message'}". ${advice}`)
  return plain
}

const withFilesInside = (message: LanguageModelV4Message): LanguageModelV4Message =>
  isObject(message) ? ({ ...message, content: withFiles(message.content, 'The history') } as typeof message) : message

/**
 * Converts files to the model interface. Throws for a file that no provider could read, because it would be dropped
 * silently.
 */
function withFiles(content: unknown, owner: string): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part) => {
    const read = readFilePart(part)
    demand(read !== undefined, `${owner} has a file that cannot be read. Give ${fileAdvice}.`)
    return read
  })
}

/** Returns the path to the first that does not fit. */
function firstOf(list: readonly unknown[], misfitOf: (item: unknown) => string | undefined): string | undefined {
  for (const [index, item] of list.entries()) {
    const wrong = misfitOf(item)
    if (wrong !== undefined) return wrong ? `${index}.${wrong}` : `${index}`
  }
  return undefined
}

const misfitOfParts = (parts: unknown): string | undefined => (Array.isArray(parts) ? firstOf(parts, misfitOfPart) : '')

function misfitOfPart(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'text') return typeof part.text === 'string' ? undefined : 'text'
  if (part.type === 'file') return isObject(part.data) ? undefined : 'data'
  return part.type === 'custom' ? undefined : 'type'
}

function misfitOfMessage(message: unknown): string | undefined {
  if (!isObject(message)) return ''
  const { role, content } = message
  if (role === 'system') return typeof content === 'string' ? undefined : 'content'
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return 'role'
  if (!Array.isArray(content)) return 'content'
  const wrong = firstOf(content, role === 'user' ? misfitOfPart : role === 'tool' ? misfitOfAnswer : misfitOfTurnPart)
  return wrong === undefined ? undefined : `content.${wrong}`
}

const misfitOfTurnPart = (part: unknown): string | undefined =>
  isObject(part) && typeof part.type === 'string' ? undefined : 'type'

/** A part of a tool message. */
function misfitOfAnswer(part: unknown): string | undefined {
  if (!isObject(part)) return ''
  if (part.type === 'tool-approval-response') return undefined
  return part.type === 'tool-result' && isResult(part.output) ? undefined : 'output'
}

/** Returns true if a model can receive it as the result of a call. */
export function isResult(output: unknown): boolean {
  if (!isObject(output)) return false
  const { type, value } = output
  if (type === 'execution-denied') return true
  if (type === 'content') return misfitOfParts(value) === undefined
  if (type === 'text' || type === 'error-text') return typeof value === 'string'
  return (type === 'json' || type === 'error-json') && value !== undefined
}
