import type { StoreApi } from 'zustand/vanilla'
import { readUnsent, type Unsent } from '../run/drafts.ts'
import type { PlaygroundState } from '../run/PlaygroundState.ts'
import { isPlace } from '../workers/Place.ts'
import { readMarks } from './Marks.ts'
import { readSettings } from './Settings.ts'

/** A part of a store that outlives the page, in the storage of the browser. */
interface StoredPart<State> {
  readonly key: string
  readonly fields: readonly (keyof State)[]
  /** Reads the stored data, which is not trusted. */
  read(text: string | null): Partial<State>
  write(state: State): string
  /** True if it applies changes that other tabs store. */
  readonly isShared?: true
}

/** Drafts and edits that were not sent. */
export const unsent: StoredPart<Unsent> = {
  key: 'unsent',
  fields: ['drafts', 'edits'],
  read: readUnsent,
  write: ({ drafts, edits }) => JSON.stringify({ drafts, edits }),
}

/** The parts of the page that outlive it. */
export const storedParts: readonly StoredPart<PlaygroundState>[] = [
  unsent,
  { key: 'place', fields: ['place'], read: (place) => (isPlace(place) ? { place } : {}), write: ({ place }) => place },
  {
    key: 'settings',
    fields: ['settings'],
    read: (text) => ({ settings: readSettings(text) }),
    write: ({ settings }) => JSON.stringify(settings),
    isShared: true,
  },
  {
    key: 'marks',
    fields: ['marks'],
    read: (text) => ({ marks: readMarks(text) }),
    write: ({ marks }) => JSON.stringify(marks),
    isShared: true,
  },
]

/** Restores these parts of a store, and stores their changes from now on. */
export function keepStored<State>(
  store: StoreApi<State>,
  storage: () => Pick<Storage, 'getItem' | 'setItem'>,
  parts: readonly StoredPart<State>[],
): void {
  for (const { key, read } of parts) {
    // A browser may refuse storage, or have no room. Texts and settings then last as long as the page.
    try {
      store.setState(read(storage().getItem(key)))
    } catch {}
  }
  store.subscribe((now, before) => {
    for (const { key, fields, write, isShared } of parts) {
      if (fields.every((field) => now[field] === before[field])) continue
      try {
        const text = write(now)
        // Skips data that another tab has just written.
        if (!isShared || storage().getItem(key) !== text) storage().setItem(key, text)
      } catch {}
    }
  })
  globalThis.addEventListener?.('storage', ({ key, newValue }) => {
    const part = parts.find((each) => each.isShared && each.key === key)
    if (part) store.setState(part.read(newValue))
  })
}
