import type { Event, Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import type { Ingress } from './ingress.ts'
import type { ServiceNames } from './serviceNames.ts'

export interface FollowLogOptions {
  readonly ingress: Ingress
  readonly journal: Pick<Journal, 'read'>
  readonly names: ServiceNames
  readonly host: Pick<Host, 'now' | 'timer'>
  readonly signal: AbortSignal
  readonly tell: (events: readonly Event[]) => void
}

const followMs = 30_000
/** Looks are not closer together: where much happens, each tells of more. */
const pauseMs = 100

/** Tells each event of a log, once it is kept, for as long as somebody wants to know. */
export async function followLog(
  run: string,
  { ingress, journal, names, host, signal, tell }: FollowLogOptions,
): Promise<void> {
  let toldAt = 0
  for (let from = 0; !signal.aborted; ) {
    const events = await journal.read(run, from)
    if (signal.aborted) return
    const isQuiet = events.length === 0 || host.now() - toldAt > pauseMs
    if (events.length > 0) {
      tell(events)
      toldAt = host.now()
    }
    from += events.length
    await ingress({ service: names.log, key: run, handler: 'follow', input: { from, ms: followMs }, signal })
    await new Promise<void>((resolve) => void host.timer(isQuiet ? 0 : pauseMs, resolve))
  }
}
