import { Suspense, useState } from 'react'
import { later } from '../parts/later.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { notOpened } from './notOpened.tsx'

const Palette = later(
  async () => (await import('../palette/Palette.tsx')).Palette,
  notOpened(({ dialog }) => dialog === 'palette'),
)
const ShortcutsDialog = later(
  async () => (await import('../commands/ShortcutsDialog.tsx')).ShortcutsDialog,
  notOpened(({ dialog }) => dialog === 'shortcuts'),
)
const ModelDialog = later(
  async () => (await import('../panels/ModelDialog.tsx')).ModelDialog,
  notOpened(({ dialog }) => dialog === 'models'),
)

const ManyDialog = later(
  async () => (await import('../many/ManyDialog.tsx')).ManyDialog,
  notOpened(({ dialog }) => dialog === 'many'),
)

const PermissionsDialog = later(
  async () => (await import('../permissions/PermissionsDialog.tsx')).PermissionsDialog,
  notOpened(({ dialog }) => dialog === 'permissions'),
)

/** The dialogs of the page itself. Each is fetched when it is first opened. */
export function PageDialogs() {
  const { store, openDialog } = usePlayground()
  const dialog = usePage((page) => page.dialog)
  // One that was closed may have opened another one by then.
  const closePalette = (): void => {
    if (store.getState().dialog === 'palette') openDialog(undefined)
  }
  return (
    <Suspense>
      {dialog === 'palette' && <Palette onClose={closePalette} />}
      {dialog === 'many' && <ManyDialog onClose={() => openDialog(undefined)} />}
      {dialog === 'permissions' && <PermissionsDialog onClose={() => openDialog(undefined)} />}
      {useOnceTrue(dialog === 'shortcuts') && <ShortcutsDialog />}
      {useOnceTrue(dialog === 'models') && <ModelDialog />}
    </Suspense>
  )
}

/** A dialog stays where it is once it was opened: removed while open, it would take the focus with it. */
function useOnceTrue(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(isTrue)
  if (isTrue && !wasTrue) setWasTrue(true)
  return isTrue || wasTrue
}
