import { AgentError, type Host } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { asShown, asTold } from './answers.ts'
import type { Asked } from './asked.ts'
import type { Ingress } from './ingress.ts'
import type { Shown } from './logObject.ts'
import type { ServiceNames } from './serviceNames.ts'
import { untilDone } from './untilDone.ts'

export interface BesideWorkOptions {
  readonly ingress: Ingress
  readonly names: ServiceNames
  readonly host: Pick<Host, 'newId'>
}

/**
 * For whoever has the journal and not the run. A run at work holds its log, and whoever else wants to write would wait until its
 * segment is over: nobody takes it away from Restate, and to delete it is to stop it before.
 */
export function besideWork(journal: Required<Journal>, { ingress, names, host }: BesideWorkOptions): Required<Journal> {
  const look = (runId: string): Promise<Shown> =>
    ingress({ service: names.log, key: runId, handler: 'look', input: 0, answer: asShown })
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
      const stop: Asked = { id: host.newId(), command: { type: 'stop', reason: 'Deleted.' } }
      if ((await look(runId)).isHeld)
        await untilDone(ingress)({ service: names.log, key: runId, handler: 'ask', input: stop, answer: asTold })
      await journal.delete(runId)
    },
  }
}
