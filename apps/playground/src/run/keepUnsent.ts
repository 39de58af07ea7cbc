import type { StoreApi } from 'zustand/vanilla'
import { readUnsent, type Unsent } from './drafts.ts'

const key = 'unsent'

/** Brings back what was written and not sent in an earlier visit, and keeps it from now on. */
export function keepUnsent(store: StoreApi<Unsent>, storage: () => Pick<Storage, 'getItem' | 'setItem'>): () => void {
  // A browser may refuse storage, or have no room. What is written then lasts as long as the page.
  try {
    store.setState(readUnsent(storage().getItem(key)))
  } catch {}
  return store.subscribe(({ drafts, edits }, before) => {
    if (drafts === before.drafts && edits === before.edits) return
    try {
      storage().setItem(key, JSON.stringify({ drafts, edits }))
    } catch {}
  })
}
