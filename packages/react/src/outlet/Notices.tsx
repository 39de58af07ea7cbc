import type { Run } from '@interleave/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { reportFailure, useFailureWords, useProblem } from '../failureWords.ts'
import { Button, FailureBox } from '../parts.tsx'
import { useSignal } from '../selections.ts'
import { useSay } from '../words/words.tsx'

interface NoticeProps {
  readonly run: Run | undefined
}

/** Shows that a run failed and what its user can do, with a retry button. The console has the reason. */
export function FailureAlert({ run }: NoticeProps): ReactNode {
  const say = useSay()
  const wordsOf = useFailureWords()
  const failed = useSignal(run, 'failed')
  const [problem, showProblem] = useProblem()
  const [ref, resume] = useResume(run)
  useEffect(() => {
    showProblem()
    if (run && failed) reportFailure(failed.error, run)
  }, [run, failed, showProblem])

  const retry = (): void => {
    try {
      resume()
    } catch (error) {
      showProblem(error)
    }
  }
  return (
    <div ref={ref} tabIndex={-1} data-interleave="failed">
      {failed && (
        <FailureBox title={say('couldNotFinish')} reason={wordsOf(failed.error)} onRetry={retry}>
          {problem && <p data-interleave="reason">{problem}</p>}
        </FailureBox>
      )}
    </div>
  )
}

/** Shows that a run was opened from a file, and a button that continues it. Nothing of it runs before that. */
export function ImportedNote({ run }: NoticeProps): ReactNode {
  const say = useSay()
  const isImported = useSignal(run, 'stopped')?.cause === 'imported'
  const [ref, resume] = useResume(run)
  return (
    <div ref={ref} tabIndex={-1} data-interleave="opened">
      {isImported && (
        <div role="status" data-interleave="imported">
          <strong>{say('fromFile')}</strong>
          <p data-interleave="advice">{say('fromFileAdvice')}</p>
          <Button part="continue" onClick={resume}>
            {say('continue')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** Returns a ref for the notice, which gets the focus when its button disappears, and a function that resumes the run. */
function useResume(run: Run | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  const resume = (): void => {
    run?.resume()
    ref.current?.focus({ preventScroll: true })
  }
  return [ref, resume] as const
}
