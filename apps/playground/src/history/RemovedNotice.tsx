import { Undo2 } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { usePage } from '../run/usePlayground.ts'
import { useBringBack } from './useRemove.ts'

/** What was deleted last, and the way back. */
export function RemovedNotice() {
  const removed = usePage((page) => page.removed)
  const name = usePage(({ marks }) => removed && marks[removed.runId]?.name)
  const { mutate, isPending, error } = useBringBack()
  const button = useRef<HTMLButtonElement>(null)

  // The button that deleted it is gone, and the focus with it.
  useEffect(() => {
    if (removed && document.activeElement === document.body) button.current?.focus()
  }, [removed])

  return (
    <div role="status" className="removed" hidden={!removed}>
      {removed && (
        <>
          <span className="run-title">Deleted “{name ?? removed.title}”</span>
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
