import type { StoreApi } from 'zustand/vanilla'
import type { Settings } from './Settings.ts'

/** Has the page in the colours that were chosen; without a choice, in those of the system. */
export function followTheme(store: StoreApi<{ readonly settings: Settings }>, root: HTMLElement): () => void {
  const apply = ({ settings: { theme } }: { readonly settings: Settings }): void => {
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
  }
  apply(store.getState())
  return store.subscribe(apply)
}
