import type { Ask, Run } from '@interleave/core'
import { type ReactNode, useId } from 'react'
import { AskBody } from './AskBody.tsx'
import type { AskComponents } from './AskProps.ts'
import { chooseByNumber } from './chooseByNumber.ts'
import { Origin } from './Origin.tsx'
import { useModal } from './useModal.ts'

export interface AskDialogProps {
  readonly run: Run | undefined
  /** The first of them is shown. */
  readonly asks: readonly Ask[]
  readonly components: AskComponents
  readonly isOpen: boolean
  /** The person wants to answer later. */
  readonly onLater: () => void
}

/** One native dialog for all questions. It stays in the page while it is closed, and keeps what was typed. */
export function AskDialog({ run, asks, components, isOpen, onLater }: AskDialogProps): ReactNode {
  const id = useId()
  const [ask] = asks
  // The ids of questions repeat from run to run.
  const key = run && ask && `${run.id}/${ask.id}`
  const ref = useModal({ isOpen, content: key, onClosed: onLater })
  return (
    <dialog
      ref={ref}
      data-interleave="dialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}origin`}
      onKeyDown={chooseByNumber}
      onCancel={(event) => {
        // A file picker that is closed sends this event too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onLater()
      }}
    >
      {run && ask && (
        <>
          <AskBody key={key} run={run} ask={ask} titleId={`${id}title`} components={components} />
          <footer>
            <Origin id={`${id}origin`} run={run} ask={ask} of={asks.length} />
            <button type="button" data-interleave="later" onClick={onLater}>
              Later
            </button>
          </footer>
        </>
      )}
    </dialog>
  )
}
