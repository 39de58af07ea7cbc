import type { Told } from './asked.ts'
import type { Taken } from './inboxObject.ts'
import type { Ingress } from './ingress.ts'
import type { ServiceNames } from './serviceNames.ts'

/** What is asked of one run. */
export interface Inbox {
  take(): Promise<Taken>
  /** From now on the run works here. */
  enter(attempt: string): Promise<Taken>
  done(id: string, told: Told): Promise<void>
}

export function createInbox(ingress: Ingress, { names, runId }: { names: ServiceNames; runId: string }): Inbox {
  const call = (handler: string, input?: unknown): Promise<unknown> =>
    ingress({ service: names.inbox, key: runId, handler, input })
  return {
    take: () => call('take') as Promise<Taken>,
    enter: (attempt) => call('enter', attempt) as Promise<Taken>,
    done: async (id, told) => void (await call('done', { id, told })),
  }
}
