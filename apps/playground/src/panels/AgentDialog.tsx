import { Suspense } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { later } from '../parts/later.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'

// The code that reads and checks files is fetched when one is opened.
const AgentEditor = later(async () => (await import('../editor/AgentEditor.tsx')).AgentEditor)

/** The editor of an agent's file. Closing it keeps the draft. */
export function AgentDialog() {
  const { edit } = usePlayground()
  const offer = usePage((page) => page.editing)
  const close = (): void => edit(undefined)
  return (
    <Dialog
      title={offer ? `Edit agent: ${offer.title}` : 'Edit agent'}
      isOpen={offer !== undefined}
      isWide
      onClose={close}
    >
      {offer && (
        <Suspense fallback={<p className="thinking">Loading</p>}>
          <AgentEditor key={offer.id} offer={offer} onDone={close} />
        </Suspense>
      )}
    </Dialog>
  )
}
