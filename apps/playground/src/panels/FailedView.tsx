import type { Failure } from '@interleave/core'
import { useOwner } from '@interleave/react'
import type { ComponentProps } from 'react'
import { diagnose } from '../models/index.ts'
import { hasBegun } from '../run/hasBegun.ts'
import { isOfModel } from '../run/modelActions.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'
import { failureWords } from './failureWords.ts'
import { KeyForm } from './KeyForm.tsx'
import { UnwrittenActions } from './UnwrittenActions.tsx'

export interface FailedViewProps {
  readonly failure: Failure
  readonly conversation: Conversation
  /** The run has not gone on since. */
  readonly isNow: boolean
}

const lost: ReadonlySet<string> = new Set(['remote_failed', 'not_allowed', 'run_unknown'])

/** The reason why a run failed, and the ways to continue it. */
export function FailedView({ failure, conversation, isNow }: FailedViewProps) {
  const { connect, runIn, reattach, openDialog } = usePlayground()
  const { run, connection, lacksKey } = conversation
  const isElsewhere = useOwner(run) === 'elsewhere'
  const isThere = isServed(conversation.place)
  const isModel = isOfModel(failure) && !isThere
  if (isNow && isModel && lacksKey && !isElsewhere) return <KeyForm connection={connection} />
  // The server did not say this: the page lost it.
  const isLost = isThere && lost.has(failure.code)
  const isUnwritten = failure.code.startsWith('journal_')
  // Writes what could not be written then.
  if (!isNow && isUnwritten) return <p className="stopped">{failureWords(failure).title}, for a while.</p>
  const diagnosis = isModel ? (isNow ? diagnose(failure, connection) : past(failure)) : failureWords(failure)
  return (
    <DiagnosisCard diagnosis={diagnosis}>
      {isNow && (
        <>
          {isUnwritten && <UnwrittenActions runId={run.id} code={failure.code} />}
          {failure.code !== 'worker_failed' && (
            <button type="button" className="button" onClick={() => (isLost ? void reattach(run.id) : run.resume())}>
              Try again
            </button>
          )}
          {(failure.code === 'worker_failed' || (isLost && !hasBegun(conversation))) && (
            <button type="button" className="button" onClick={() => void runIn(run.id, 'page')}>
              Run it in this page
            </button>
          )}
          {isModel && isElsewhere && <p>It works in another tab. Its model and key are changed there.</p>}
          {isModel && !isElsewhere && (
            <button type="button" className="button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
              Change the model…
            </button>
          )}
          {connection.type !== 'demo' && isModel && !isElsewhere && (
            <button type="button" className="button" onClick={() => void connect({ type: 'demo' })}>
              Continue with the demo planner
            </button>
          )}
        </>
      )}
    </DiagnosisCard>
  )
}

/** The connection of the failure is not known any more: the run may have another model since. */
const past = ({ message }: Failure): ComponentProps<typeof DiagnosisCard>['diagnosis'] => ({
  title: 'The model failed here',
  explanation: 'The raw error has what it said.',
  steps: [],
  detail: message,
})
