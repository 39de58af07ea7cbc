import type { Event } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Ingress } from './ingress.ts'
import type { ServiceNames } from './serviceNames.ts'

export interface FollowLogOptions {
  readonly ingress: Ingress
  readonly journal: Pick<Journal, 'read'>
  readonly names: ServiceNames
  readonly signal: AbortSignal
  readonly tell: (events: readonly Event[]) => void
}

const followMs = 30_000

/** Tells each event of a log, once it is kept, for as long as somebody wants to know. */
export async function followLog(
  run: string,
  { ingress, journal, names, signal, tell }: FollowLogOptions,
): Promise<void> {
  for (let from = 0; !signal.aborted; ) {
    const events = await journal.read(run, from)
    if (signal.aborted) return
    if (events.length > 0) tell(events)
    from += events.length
    await ingress({ service: names.log, key: run, handler: 'follow', input: { from, ms: followMs }, signal })
  }
}
