import type { Run } from '@interleave/core'
import { adviceOf } from '@interleave/core/observe'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useSignal } from '../useSignal.ts'
import { reportFailure } from './reportFailure.ts'

/** Why a run failed, what to do about it, and a button that tries again. */
export function FailureAlert({ run }: { readonly run: Run | undefined }): ReactNode {
  const failed = useSignal(run, 'failed')
  const [problem, setProblem] = useState<unknown>()
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    setProblem(undefined)
    if (run && failed) reportFailure(run, failed)
  }, [run, failed])

  const retry = (): void => {
    try {
      run?.resume()
      // The button that had the focus goes away.
      ref.current?.focus({ preventScroll: true })
    } catch (error) {
      setProblem(error)
    }
  }
  const advice = failed && adviceOf(failed.error)
  return (
    <div ref={ref} tabIndex={-1} data-interleave="failed">
      {failed && (
        <div role="alert" data-interleave="failure">
          <strong>The agent could not finish.</strong>
          <p data-interleave="reason">
            <UntrustedText limit={1_000}>{failed.error.message}</UntrustedText>
          </p>
          {advice && <p data-interleave="advice">{advice}</p>}
          {problem !== undefined && (
            <p data-interleave="reason">{problem instanceof Error ? problem.message : String(problem)}</p>
          )}
          <button type="button" data-interleave="retry" onClick={retry}>
            Retry
          </button>
        </div>
      )}
    </div>
  )
}
