/** Runs in the page. Returns all that it has stored, as text. */
export async function everythingStored(): Promise<string> {
  const kept: unknown[] = [{ ...localStorage }, { ...sessionStorage }, document.cookie, history.state]
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name ?? ''))
    for (const store of database.objectStoreNames) {
      kept.push(await done(database.transaction(store).objectStore(store).getAll()))
      kept.push(await done(database.transaction(store).objectStore(store).getAllKeys()))
    }
    database.close()
  }
  for (const name of await caches.keys()) {
    const cache = await caches.open(name)
    for (const request of await cache.keys()) kept.push(request.url, [...request.headers])
  }
  return JSON.stringify(kept)

  function done<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  }
}
