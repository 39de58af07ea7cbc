import type { ComparedRuns } from '../run/address.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'

/** Returns two runs in the order in which they are read: the original, and then its fork. */
export function originalFirst(
  { conversations }: Pick<PlaygroundState, 'conversations'>,
  { a, b }: ComparedRuns,
): ComparedRuns {
  const [started] = conversations.find(({ run }) => run.id === a)?.log.events ?? []
  const isForkOfB = started?.type === 'started' && started.forkedFrom?.runId === b
  return isForkOfB ? { a: b, b: a } : { a, b }
}
