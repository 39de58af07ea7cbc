import type { StoreApi } from 'zustand/vanilla'
import { type Marks, readMarks } from './Marks.ts'
import { readSettings, type Settings } from './Settings.ts'

interface Shell {
  readonly settings: Settings
  readonly marks: Marks
}

const read = { settings: readSettings, marks: readMarks } as const

/** Brings back settings and marks, keeps them from now on, and takes over what other tabs change. */
export function keepShell(store: StoreApi<Shell>, storage: () => Pick<Storage, 'getItem' | 'setItem'>): () => void {
  // A browser may refuse storage, or have no room. What is chosen then lasts as long as the page.
  try {
    store.setState({
      settings: read.settings(storage().getItem('settings')),
      marks: read.marks(storage().getItem('marks')),
    })
  } catch {}
  const leave = store.subscribe((now, before) => {
    for (const key of ['settings', 'marks'] as const) {
      const json = JSON.stringify(now[key])
      if (now[key] === before[key]) continue
      try {
        // Skips data that another tab has just written.
        if (storage().getItem(key) !== json) storage().setItem(key, json)
      } catch {}
    }
  })
  const hear = ({ key, newValue }: StorageEvent): void => {
    if (key === 'settings') store.setState({ settings: read.settings(newValue) })
    if (key === 'marks') store.setState({ marks: read.marks(newValue) })
  }
  globalThis.addEventListener?.('storage', hear)
  return () => {
    leave()
    globalThis.removeEventListener?.('storage', hear)
  }
}
