import type { Failure } from '@interleave/core'
import { useSignal } from '@interleave/react'
import { diagnose } from '../models/index.ts'
import type { Conversation } from '../run/playground.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { DiagnosisCard } from './DiagnosisCard.tsx'

/** Why a run failed, and the ways to go on with it. */
export function FailedView({ failure, conversation }: { failure: Failure; conversation: Conversation }) {
  const { connect } = usePlayground()
  const { run, connection } = conversation
  const diagnosis = failure.code.startsWith('model_') ? diagnose(failure, connection) : plainDiagnosis(failure)
  const isLatest = useSignal(run, 'failed') !== undefined
  return (
    <DiagnosisCard diagnosis={diagnosis}>
      {isLatest && (
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
