import type { Keeper } from './keeper.ts'

const store = 'turns'

/** Measures one put of the same events in a transaction of its own, and one read of all, without any check. */
export function floorInIndexedDb(): Keeper {
  let opening: Promise<IDBDatabase> | undefined
  const open = (): Promise<IDBDatabase> => (opening ??= openDatabase())
  return {
    async begin(runId, durability) {
      const database = await open()
      return (events) =>
        new Promise((resolve, reject) => {
          const transaction = database.transaction(store, 'readwrite', { durability })
          transaction.objectStore(store).put(events, [runId, events[0]?.seq ?? 0])
          transaction.oncomplete = () => resolve()
          transaction.onabort = () => reject(transaction.error)
        })
    },
    async resume(runId) {
      const startedAt = performance.now()
      const turns = (await open()).transaction(store).objectStore(store)
      await resultOf(turns.getAll(IDBKeyRange.bound([runId, 0], [runId, Number.POSITIVE_INFINITY])))
      return { ms: performance.now() - startedAt, parts: {} }
    },
  }
}

function openDatabase(): Promise<IDBDatabase> {
  const request = indexedDB.open('floor')
  request.onupgradeneeded = () => void request.result.createObjectStore(store)
  return resultOf(request)
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
