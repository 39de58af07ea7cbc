import { AgentError, type Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { asShown, asTold } from './answers.ts'
import type { Asked } from './asked.ts'
import type { Admin } from './createAdmin.ts'
import { endStuck } from './endStuck.ts'
import type { Ingress } from './ingress.ts'
import type { Shown } from './logObject.ts'
import { pause } from './pause.ts'
import type { ServiceNames } from './serviceNames.ts'
import { isLate } from './untilDone.ts'

export interface BesideWorkOptions {
  readonly ingress: Ingress
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId' | 'timer'>
  /** The admin API, to delete runs that are stuck. */
  readonly admin?: Admin | undefined
}

/**
 * Gives journal access to processes that do not have the run. A running run holds its log, and other writers would wait
 * until its segment is over: it cannot be claimed from Restate, and deleting it stops it first.
 */
export function besideWork(
  journal: Required<Journal>,
  { ingress, names, host, admin }: BesideWorkOptions,
): Required<Journal> {
  const look = (runId: string): Promise<Shown> =>
    ingress({ service: names.log, key: runId, handler: 'look', input: 0, answer: asShown })
  const stop = async (runId: string): Promise<void> => {
    const input: Asked = { id: host.newId(), command: { type: 'stop', reason: 'Deleted.' } }
    try {
      await ingress({ service: names.log, key: runId, handler: 'ask', input, answer: asTold, ms: stopMs })
    } catch (error) {
      throw isLate(error) ? doesNotStop(runId, error) : error
    }
  }
  /** Whatever waited for its turn behind what is stuck may be as stuck, and the deletion waits behind it. */
  const endAll = async (runId: string, admin: Admin, deleted: Promise<void>): Promise<void> => {
    const isDone = deleted.then(() => true)
    while (!(await Promise.race([isDone, pause(500, host)]))) await endStuck(runId, { admin, names })
  }
  return {
    ...journal,
    async claim(runId, length) {
      const { isHeld, summary } = await look(runId)
      // One that rests is let go of soon.
      if (isHeld && !summary.rest)
        throw new AgentError(
          'journal_conflict',
          `The run ${runId} works on Restate. Go on with it by restateAgent(), or stop it first.`,
        )
      return journal.claim(runId, length)
    },
    async delete(runId) {
      const { isHeld } = await look(runId)
      const isStuck = isHeld && admin !== undefined && (await endStuck(runId, { admin, names })) > 0
      if (isHeld && !isStuck) await stop(runId)
      const deleted = Promise.resolve(journal.delete(runId))
      if (isStuck) await endAll(runId, admin, deleted)
      await deleted
    },
  }
}

/** The time that a stopping run may take. */
const stopMs = 50_000

const doesNotStop = (runId: string, cause: unknown): AgentError =>
  new AgentError(
    'run_busy',
    `The run ${runId} does not stop. Check with watchRestate() if it is stuck: restateJournal({ admin }) then deletes it.`,
    { cause, retryable: true },
  )
