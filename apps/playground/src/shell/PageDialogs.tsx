import { Suspense, useState } from 'react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { laterDialog } from './notOpened.tsx'

const Palette = laterDialog('palette', async () => (await import('../palette/Palette.tsx')).Palette)
const ShortcutsDialog = laterDialog(
  'shortcuts',
  async () => (await import('../commands/ShortcutsDialog.tsx')).ShortcutsDialog,
)
const ModelDialog = laterDialog('models', async () => (await import('../panels/ModelDialog.tsx')).ModelDialog)
const ManyDialog = laterDialog('many', async () => (await import('../many/ManyDialog.tsx')).ManyDialog)
const PermissionsDialog = laterDialog(
  'permissions',
  async () => (await import('../permissions/PermissionsDialog.tsx')).PermissionsDialog,
)

/** The dialogs of the page itself. Each is fetched when it is first opened. */
export function PageDialogs() {
  const { store, openDialog } = usePlayground()
  const dialog = usePage((page) => page.dialog)
  // The closed dialog may already have opened another one.
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

/** Keeps a dialog mounted once it was opened: if it were removed while open, the focus would be lost. */
function useOnceTrue(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(isTrue)
  if (isTrue && !wasTrue) setWasTrue(true)
  return isTrue || wasTrue
}
