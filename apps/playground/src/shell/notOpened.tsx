import { type ComponentType, type LazyExoticComponent, useEffect } from 'react'
import { later, notFetched } from '../parts/later.tsx'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'

/**
 * Returns a component for a dialog that could not be fetched. Whenever the dialog is requested, closes it again and
 * shows a notice with the reason.
 */
export function notOpened(isAsked: (page: PlaygroundState) => boolean): () => null {
  return function NotOpened() {
    const { openDialog, openFork, notify } = usePlayground()
    const isWanted = usePage(isAsked)
    useEffect(() => {
      if (!isWanted) return
      openDialog(undefined)
      openFork(undefined)
      notify({
        id: 'not fetched',
        tone: 'bad',
        ...notFetched,
      })
    }, [isWanted, openDialog, openFork, notify])
    return null
  }
}

/** A dialog that is fetched when it is first opened. */
export const laterDialog = <Props extends object>(
  id: PlaygroundState['dialog'],
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> =>
  later(
    load,
    notOpened(({ dialog }) => dialog === id),
  )
