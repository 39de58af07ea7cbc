import type { Asked, Told } from './asked.ts'
import type { Taken } from './inboxObject.ts'
import type { Ingress } from './ingress.ts'
import type { ServiceNames } from './serviceNames.ts'

/** What is asked of one run. */
export interface Inbox {
  /** Resolves when it is done. */
  ask(asked: Asked, signal?: AbortSignal): Promise<Told>
  take(): Promise<Taken>
  /** From now on the run works here. */
  enter(attempt: string): Promise<Taken>
  done(id: string, told: Told): Promise<void>
  /** Resolves when there is something new from this place on, or after a while. */
  listen(from: number, signal: AbortSignal): Promise<void>
}

const listenMs = 30_000

export function createInbox(ingress: Ingress, { names, runId }: { names: ServiceNames; runId: string }): Inbox {
  const call = (handler: string, input?: unknown, signal?: AbortSignal): Promise<unknown> =>
    ingress({ service: names.inbox, key: runId, handler, input, ...(signal && { signal }) })
  return {
    ask: (asked, signal) => call('ask', asked, signal) as Promise<Told>,
    take: () => call('take') as Promise<Taken>,
    enter: (attempt) => call('enter', attempt) as Promise<Taken>,
    done: async (id, told) => void (await call('done', { id, told })),
    listen: async (from, signal) => void (await call('listen', { from, ms: listenMs }, signal)),
  }
}
