import { Suspense } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { later } from '../parts/later.tsx'
import { useLinked } from '../run/useLinked.ts'
import { type LinkedTool, linkedTool, toolLink } from './toolLink.ts'

const ToolBench = later(async () => (await import('./ToolBench.tsx')).ToolBench)

/** Shows the bench for the tool that the address names. */
export function BenchDialog() {
  const [linked, close] = useLinked(linkedTool)
  return (
    <Dialog title="Tool bench" isOpen={linked !== undefined} isWide onClose={close}>
      {linked && (
        <Suspense fallback={<p className="thinking">Loading</p>}>
          <ToolBench linked={linked} onLink={goTo} />
        </Suspense>
      )}
    </Dialog>
  )
}

/** Replaces the history entry, so that Back does not lead through the tools. */
const goTo = (tool: LinkedTool): void => location.replace(toolLink(tool))
