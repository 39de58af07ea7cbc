import type { LanguageModelV4Message } from '@ai-sdk/provider'
import { demand } from './demand.ts'
import * as shapes from './eventShape.ts'
import { asPlain } from './json.ts'
import type { UserContent } from './part.ts'

/** What a message says, as it may stand in a log. One that could not be read again would take its whole run with it. */
export function plainContent(content: UserContent): UserContent {
  const plain = asPlain(content)
  const wrong = shapes.content(plain)
  const advice = 'Give a text, or a list of parts of type "text" and "file".'
  demand(wrong === undefined, `A message has a wrong or missing "${wrong || 'content'}". ${advice}`)
  return plain
}

/** Messages of an earlier conversation, likewise. */
export function plainMessages(messages: readonly LanguageModelV4Message[]): readonly LanguageModelV4Message[] {
  const plain = asPlain(messages)
  const wrong = shapes.messages(plain)
  const advice = 'Give messages as the model interface has them: { role: "user", content: [{ type: "text", text }] }.'
  demand(wrong === undefined, `The history has a wrong or missing "${wrong || 'message'}". ${advice}`)
  return plain
}
