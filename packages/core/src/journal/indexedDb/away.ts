import { type Deferred, deferred } from '../../deferred.ts'

/** Transactions of this page that are not over. */
const active = new Set<Pick<IDBTransaction, 'abort'>>()
let back: Deferred<void> | undefined

/**
 * Resolves once this page is not in the back/forward cache. WebKit keeps a transaction of such a page, which blocks the
 * database for all other pages, and lets scripts begin one after `pagehide`.
 */
export const untilBack = (): Promise<void> | undefined => back?.promise

/** Aborts a transaction if the page enters the cache before it is over. Returns a function to call when it is. */
export function endIfAway(transaction: Pick<IDBTransaction, 'abort'>): () => void {
  active.add(transaction)
  return () => active.delete(transaction)
}

if (typeof addEventListener === 'function') {
  addEventListener('pagehide', ({ persisted }: Event & { readonly persisted?: boolean }) => {
    if (!persisted) return
    back ??= deferred<void>()
    for (const transaction of active) abort(transaction)
  })
  addEventListener('pageshow', () => {
    back?.resolve(undefined)
    back = undefined
  })
}

export function abort(transaction: Pick<IDBTransaction, 'abort'>): void {
  try {
    transaction.abort()
  } catch {
    // It is over already.
  }
}
