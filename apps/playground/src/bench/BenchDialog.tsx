import { Suspense, useSyncExternalStore } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { later } from '../parts/later.tsx'
import { linkTo } from '../run/address.ts'
import { shownAddress } from '../run/shownAddress.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { type LinkedTool, linkedTool, toolLink } from './toolLink.ts'

const ToolBench = later(async () => (await import('./ToolBench.tsx')).ToolBench)

/** Tries the tool that the address names, over whatever is shown. */
export function BenchDialog() {
  const { store } = usePlayground()
  const link = useSyncExternalStore(followHash, () => (linkedTool(location.hash) ? location.hash : undefined))
  const linked = link === undefined ? undefined : linkedTool(link)
  const close = (): void => {
    if (linkedTool(location.hash)) location.hash = linkTo(shownAddress(store.getState()))
  }
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

function followHash(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}
