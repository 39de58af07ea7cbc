import { type Ask, openCalls, type Run } from '@interleave/core'
import { type ReactNode, useCallback, useId } from 'react'
import { useAsks } from '../useAsks.ts'
import { useRun } from '../useRun.ts'
import { AskBody } from './AskBody.tsx'
import type { AskComponents } from './AskProps.ts'
import { chooseByNumber } from './chooseByNumber.ts'
import { plain } from './plain.ts'
import { useModal } from './useModal.ts'
import { useOpen } from './useOpen.ts'

export interface SignalOutletProps {
  readonly run: Run | undefined
  /** Own components by kind of question. */
  readonly components?: AskComponents
  /** Whether the questions are shown, where the app decides it. */
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly className?: string
}

const none: AskComponents = {}

/**
 * Shows what a run asks, one question at a time, in a modal dialog. Escape puts the questions off: a button says how many
 * wait, and shows them again with what was typed so far.
 */
export function SignalOutlet({ run, components = none, open, onOpenChange, className }: SignalOutletProps): ReactNode {
  const asks = useAsks(run)
  const [ask] = asks
  const id = useId()
  const [isOpen, setOpen] = useOpen(asks, { open, onOpenChange })
  // The ids of questions repeat from run to run.
  const key = run && ask && `${run.id}/${ask.id}`
  const dialog = useModal({ isOpen, content: key })
  return (
    <div data-interleave="outlet" className={className}>
      <div role="status" data-interleave="waiting">
        {ask && (
          <button type="button" onClick={() => setOpen(true)}>
            {asks.length === 1 ? '1 question waiting' : `${asks.length} questions waiting`}
          </button>
        )}
      </div>
      <dialog
        ref={dialog}
        data-interleave="dialog"
        aria-labelledby={`${id}title`}
        aria-describedby={`${id}origin`}
        onKeyDown={chooseByNumber}
        onCancel={(event) => {
          // A file picker that is closed sends this event too.
          if (event.target !== event.currentTarget) return
          event.preventDefault()
          setOpen(false)
        }}
        onClose={(event) => {
          if (isOpen && !event.currentTarget.open) setOpen(false)
        }}
      >
        {run && ask && (
          <>
            <AskBody key={key} run={run} ask={ask} titleId={`${id}title`} components={components} />
            <footer>
              <Origin id={`${id}origin`} run={run} ask={ask} of={asks.length} />
              <button type="button" data-interleave="later" onClick={() => setOpen(false)}>
                Later
              </button>
            </footer>
          </>
        )}
      </dialog>
    </div>
  )
}

interface OriginProps {
  readonly id: string
  readonly run: Run
  readonly ask: Ask
  readonly of: number
}

/** Who asks, so that a question of a tool is not taken for one of the app. */
function Origin({ id, run, ask, of }: OriginProps): ReactNode {
  const select = useCallback(
    (state: Run['state']) => {
      const tool = openCalls(state).find(({ key }) => key === ask.call)?.name
      return tool ? `${state.agent}, using ${tool}` : state.agent
    },
    [ask],
  )
  const asker = useRun(run, select)
  return (
    <p id={id} data-interleave="origin">
      Asked by {plain(asker)}
      {of > 1 && ` (1 of ${of})`}
    </p>
  )
}
