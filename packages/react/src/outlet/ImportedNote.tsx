import type { Run } from '@interleave/core'
import { type ReactNode, useRef } from 'react'
import { useSignal } from '../useSignal.ts'

/** Tells that a run was opened from a file, and a button that continues it here. Nothing of it runs before that. */
export function ImportedNote({ run }: { readonly run: Run | undefined }): ReactNode {
  const isImported = useSignal(run, 'stopped')?.cause === 'imported'
  const ref = useRef<HTMLDivElement>(null)
  const go = (): void => {
    run?.resume()
    // The button that had the focus goes away.
    ref.current?.focus({ preventScroll: true })
  }
  return (
    <div ref={ref} tabIndex={-1} data-interleave="opened">
      {isImported && (
        <div role="status" data-interleave="imported">
          <strong>Opened from a file. Continue here?</strong>
          <p data-interleave="advice">Nothing runs until you do. Everything that is still open is asked again.</p>
          <button type="button" data-interleave="continue" onClick={go}>
            Continue
          </button>
        </div>
      )}
    </div>
  )
}
