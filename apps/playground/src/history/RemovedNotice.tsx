import { plainText } from '@interleave/react'
import { Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { isFocusLost } from '../parts/isFocusLost.ts'
import { own } from '../parts/own.ts'
import { usePage } from '../run/usePlayground.ts'
import { useBringBack } from './useRemove.ts'

/** The notice of the latest deletion, with an undo button. */
export function RemovedNotice() {
  const removed = usePage((page) => page.removed)
  const name = usePage(({ marks }) => removed && own(marks, removed.runId)?.name)
  const { mutate, isPending, error } = useBringBack()
  const button = useRef<HTMLButtonElement>(null)

  // The button that deleted it disappears, and the focus with it.
  useEffect(() => {
    const row = document.activeElement?.closest<HTMLElement>('.run-row')
    if (removed && (isFocusLost() || row?.dataset.run === removed.runId)) button.current?.focus()
  }, [removed])

  return (
    <div role="status" className="removed" hidden={!removed}>
      {removed && (
        <>
          <span className="run-title">
            Deleted <bdi>“{plainText((name ?? removed.title).slice(0, 500))}”</bdi>
          </span>
          {(removed.logs.length > 0 || removed.served) && (
            <button ref={button} type="button" className="button" disabled={isPending} onClick={() => mutate(removed)}>
              <Undo2 aria-hidden /> Undo
            </button>
          )}
          {error && <p>{error.message}</p>}
        </>
      )}
    </div>
  )
}
