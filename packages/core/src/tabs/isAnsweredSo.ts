import { canonicalJson } from '../canonicalJson.ts'
import type { Command } from '../command.ts'
import { isAgentError } from '../error.ts'
import type { Feed } from '../feed.ts'
import { toJson } from '../json.ts'

/** Whether a reply is refused only since it is in the log already: an owner took it, and was gone before it could say so. */
export function isAnsweredSo({ events }: Pick<Feed, 'events'>, command: Command, error: unknown): boolean {
  if (command.type !== 'reply' || !isAgentError(error) || error.code !== 'ask_unknown') return false
  const value = canonicalJson(toJson(command.value))
  return events.some(
    (event) => event.type === 'replied' && event.ask === command.ask && canonicalJson(event.value) === value,
  )
}
