import { asDone, asTaken } from './answers.ts'
import type { Taken } from './inboxObject.ts'
import type { Ingress } from './ingress.ts'
import type { ServiceNames } from './sdk.ts'
import type { CommandResult } from './sentCommand.ts'

/** The commands to one run. */
export interface Inbox {
  take(): Promise<Taken>
  /** Records that the run executes here from now on. Rejects soon if Restate has no capacity for that. */
  enter(attempt: string): Promise<Taken>
  done(id: string, told: CommandResult): Promise<void>
}

/** Milliseconds without a response after which Restate counts as having no capacity. */
const enterMs = 2_000

export function createInbox(ingress: Ingress, { names, runId }: { names: ServiceNames; runId: string }): Inbox {
  const own = { service: names.inbox, key: runId }
  return {
    take: () => ingress({ ...own, handler: 'take', answer: asTaken }),
    enter: (attempt) =>
      ingress({ ...own, handler: 'enter', input: attempt, answer: asTaken, ms: enterMs, retryForMs: enterMs }),
    done: async (id, told) => void (await ingress({ ...own, handler: 'done', input: { id, told }, answer: asDone })),
  }
}
