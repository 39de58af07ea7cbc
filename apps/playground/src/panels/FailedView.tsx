import type { Failure } from '@interleave/core'
import { useOwner } from '@interleave/react'
import type { ComponentProps } from 'react'
import { diagnose } from '../models/index.ts'
import { isOfModel } from '../run/modelActions.ts'
import { type Conversation, hasBegun } from '../run/PlaygroundState.ts'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { isServed } from '../workers/Place.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'
import { KeyForm } from './KeyForm.tsx'

export interface FailedViewProps {
  readonly failure: Failure
  readonly conversation: Conversation
  /** The run has not continued since. */
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
  // The server did not report this: the page lost the connection.
  const isLost = isThere && lost.has(failure.code)
  const isUnwritten = failure.code.startsWith('journal_')
  // A retry writes what could not be written then.
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

/** Describes a past failure. Its connection is unknown, since the run may have another model now. */
const past = ({ message }: Failure): ComponentProps<typeof DiagnosisCard>['diagnosis'] => ({
  title: 'The model failed here',
  explanation: 'The raw error has what it said.',
  steps: [],
  detail: message,
})

/** The actions on a run that could not be stored. */
function UnwrittenActions({ runId, code }: { runId: string; code: Failure['code'] }) {
  const { showStorage } = usePlayground()
  const { save, trouble } = useExport()
  return (
    <>
      <button type="button" className="button" onClick={() => void save(runId)}>
        Export
      </button>
      {code === 'journal_full' && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => showStorage(true)}>
          Delete old runs
        </button>
      )}
      {trouble && <p role="alert">{trouble}</p>}
    </>
  )
}

/** Returns the reason why a run failed, if it is not the model's, and what to do about it. */
function failureWords({ code, message }: Failure): { title: string; explanation: string; steps: string[] } {
  switch (code) {
    case 'journal_full':
      return {
        title: 'There is no room to keep this run',
        explanation:
          'The browser gives this page no more storage, so the latest part of the run is only in this page. Do not close or reload it yet.',
        steps: ['Export the run if you need it.', 'Delete old runs.', 'Try again: the run resumes where it stopped.'],
      }
    case 'worker_failed':
      return {
        title: 'The worker of this run does not work',
        explanation: message,
        steps: ['Run it in this page: it resumes where it stopped.'],
      }
    case 'remote_failed':
      return {
        title: 'The server could not be reached',
        explanation: message,
        steps: ['Try again: the run continues on the server, and nothing is done twice.'],
      }
    case 'not_allowed':
      return {
        title: 'The server does not know this browser',
        explanation: message,
        steps: [
          'Give the access code of the device that began the run: choose “Run in: Server” for a new run.',
          'Then try again.',
        ],
      }
    default:
      return {
        title: 'The run failed',
        explanation: message,
        steps: ['Try again: the run resumes where it stopped.', 'Or send another message: nothing of the run is lost.'],
      }
  }
}
