import { Suspense } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { later } from '../parts/later.tsx'
import { useLinked } from '../run/useLinked.ts'
import { type LinkedTool, linkedTool, toolLink } from './toolLink.ts'

const ToolBench = later(async () => (await import('./ToolBench.tsx')).ToolBench)

/** Tries the tool that the address names, over whatever is shown. */
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

/** Walking through tools is no step that the way back leads over. */
const goTo = (tool: LinkedTool): void => location.replace(toolLink(tool))
