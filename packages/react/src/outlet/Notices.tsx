import type { Run, Signal } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import { adviceOf } from '@interleave/core/observe'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { isDevelopment } from '../isDevelopment.ts'
import { Button, FailureBox } from '../parts.tsx'
import { useSignal } from '../selections.ts'
import { useSay } from '../words/words.tsx'

interface NoticeProps {
  readonly run: Run | undefined
}

/** Shows why a run failed, what to do about it, and a retry button. */
export function FailureAlert({ run }: NoticeProps): ReactNode {
  const say = useSay()
  const failed = useSignal(run, 'failed')
  const [problem, setProblem] = useState<unknown>()
  const [ref, resume] = useResume(run)
  useEffect(() => {
    setProblem(undefined)
    if (run && failed) reportFailure(run, failed)
  }, [run, failed])

  const retry = (): void => {
    try {
      resume()
    } catch (error) {
      setProblem(error)
    }
  }
  const advice = failed && adviceOf(failed.error)
  return (
    <div ref={ref} tabIndex={-1} data-interleave="failed">
      {failed && (
        <FailureBox title={say('couldNotFinish')} reason={failed.error.message} onRetry={retry}>
          {advice && <p data-interleave="advice">{advice}</p>}
          {problem !== undefined && <p data-interleave="reason">{messageOf(problem)}</p>}
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

type FailedSignal = Extract<Signal, { readonly type: 'failed' }>

const reported = new WeakSet<FailedSignal>()

/** Logs in development why a run failed: once, however many components show it. */
function reportFailure({ state }: Run, signal: FailedSignal): void {
  if (!isDevelopment() || reported.has(signal)) return
  reported.add(signal)
  const { code, message } = signal.error
  const advice = adviceOf(signal.error)
  console.error(`The agent "${state.agent}" failed (${code}): ${message}${advice ? `\n${advice}` : ''}`)
}
