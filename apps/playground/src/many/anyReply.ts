import type { Ask } from '@interleave/core'

/** Answers a question where no user is asked: the first option, yes, or nothing. Undefined for what only a user can know. */
export function anyReply(ask: Ask): unknown {
  switch (ask.kind) {
    case 'choice':
      return ask.options[0]?.value
    case 'choices':
      return ask.options.slice(0, Math.max(1, ask.min)).map(({ value }) => value)
    case 'confirm':
      return true
    case 'approval':
      return { approved: true }
    default:
      return undefined
  }
}
