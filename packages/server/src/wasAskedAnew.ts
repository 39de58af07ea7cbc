import type { Event } from '@interleave/core'
import type { AskedEvent } from './replyTokens.ts'

/**
 * Returns true if a question was asked again without an answer in between: a reply to the first was for another
 * question.
 */
export function wasAskedAnew(events: readonly Event[], { seq, ask }: AskedEvent): boolean {
  const next = events
    .slice(seq + 1)
    .find((event) => (event.type === 'asked' ? event.ask.id : event.type === 'replied' && event.ask) === ask.id)
  return next?.type === 'asked'
}
