import type { Failure } from '@interleave/core'
import { diagnose } from '../models/index.ts'
import type { Conversation } from '../run/playground.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

export interface FailedViewProps {
  readonly failure: Failure
  readonly conversation: Conversation
  /** The run has not gone on since. */
  readonly isNow: boolean
}

/** Why a run failed, and the ways to go on with it. */
export function FailedView({ failure, conversation, isNow }: FailedViewProps) {
  const { connect } = usePlayground()
  const { run, connection } = conversation
  const diagnosis = failure.code.startsWith('model_') ? diagnose(failure, connection) : plainDiagnosis(failure)
  return (
    <DiagnosisCard diagnosis={diagnosis}>
      {isNow && (
        <>
          <button type="button" className="button" onClick={() => run.resume()}>
            Try again
          </button>
          {connection.type !== 'demo' && (
            <button type="button" className="button" onClick={() => void connect({ type: 'demo' })}>
              Go on with the demo planner
            </button>
          )}
        </>
      )}
    </DiagnosisCard>
  )
}

const plainDiagnosis = ({ message }: Failure) => ({
  title: 'The run failed',
  explanation: message,
  steps: ['Try again: the run goes on from the same place.', 'Or say something else: nothing of the run is lost.'],
})
