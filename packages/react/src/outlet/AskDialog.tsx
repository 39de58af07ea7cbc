import type { Ask, Run } from '@interleave/core'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useId, useRef } from 'react'
import { AskBody } from './AskBody.tsx'
import { AskBoundary } from './AskBoundary.tsx'
import type { AskComponents } from './AskProps.ts'
import { chooseByNumber } from './chooseByNumber.ts'
import { Origin } from './Origin.tsx'
import { useModal } from './useModal.ts'
import type { OnReply } from './useNews.ts'

export interface AskDialogProps {
  readonly run: Run | undefined
  /** The first of them is shown. */
  readonly asks: readonly Ask[]
  readonly components: AskComponents
  readonly isOpen: boolean
  /** The user wants to answer later. */
  readonly onLater: () => void
  readonly onReply: OnReply
}

/** One native dialog for all questions. It stays in the page while it is closed, and keeps what was typed. */
export function AskDialog({ run, asks, components, isOpen, onLater, onReply }: AskDialogProps): ReactNode {
  const id = useId()
  const [ask] = asks
  // The ids of questions repeat from run to run.
  const key = run && ask && `${run.id}/${ask.id}`
  const ref = useModal({ isOpen, content: key, onClosed: onLater })
  const pressed = useRef<string>(undefined)

  /** The second click of two, and a key that is held down, do not answer the question that came between. */
  const ignoreStray = (event: MouseEvent): void => {
    if (event.detail <= 1) pressed.current = key
    else if (pressed.current !== key) stop(event)
  }
  return (
    <dialog
      ref={ref}
      data-interleave="dialog"
      aria-labelledby={`${id}title`}
      aria-describedby={`${id}origin`}
      onKeyDown={chooseByNumber}
      onKeyDownCapture={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && event.repeat && !(event.target instanceof HTMLTextAreaElement)) stop(event)
      }}
      onClickCapture={ignoreStray}
      onCancel={(event) => {
        // A file picker that is closed sends this event too.
        if (event.target !== event.currentTarget) return
        event.preventDefault()
        onLater()
      }}
    >
      {run && ask && (
        <>
          <header>
            <Origin id={`${id}origin`} run={run} ask={ask} />
            {asks.length > 1 && <span data-interleave="place">Question 1 of {asks.length}</span>}
            <button type="button" data-interleave="later" onClick={onLater}>
              Later
            </button>
          </header>
          <AskBoundary key={key} ask={ask} titleId={`${id}title`}>
            <AskBody run={run} ask={ask} titleId={`${id}title`} components={components} onReply={onReply} />
          </AskBoundary>
        </>
      )}
    </dialog>
  )
}

function stop(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}
