import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { asPlain, isObject } from './json.ts'
import { demand } from './options.ts'
import { fileAdvice, type GivenContent, readFilePart, type UserContent } from './part.ts'
import * as shapes from './shapes.ts'

/**
 * Returns message content that may be stored in a log. Content that cannot be read back would make the whole run
 * unreadable.
 */
export function plainContent(content: GivenContent): UserContent {
  const plain = asPlain(withFiles(content, 'A message'))
  const wrong = shapes.content(plain)
  const advice = 'Give a text, or a list of parts of type "text" and "file".'
  demand(wrong === undefined, `A message has a wrong or missing "${wrong || 'content'}". ${advice}`)
  return plain as UserContent
}

/** Messages of an earlier conversation, likewise. */
export function plainMessages(messages: readonly LanguageModelV4Message[]): readonly LanguageModelV4Message[] {
  const given = Array.isArray(messages) ? messages.map(withFilesInside) : messages
  const plain = asPlain(given)
  const wrong = shapes.messages(plain)
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
