import { answerPage, olderCaches, storeFiles, wayOf } from './cachedPage.ts'

/** The build replaces this name: every file of the page, and one word that changes when any of them does. */
declare const __PRECACHED__: { readonly version: string; readonly files: readonly string[] }

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request
  readonly resultingClientId: string
  respondWith(response: Promise<Response>): void
}
interface Client {
  readonly id: string
}
/** The part of a service worker's scope that is used here: TypeScript cannot load the types of pages and of workers together. */
interface Worker {
  addEventListener(type: 'install' | 'activate', listener: (event: WorkerEvent) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
  readonly clients: { claim(): Promise<void>; matchAll(which: object): Promise<readonly Client[]> }
  readonly registration: { readonly scope: string }
  skipWaiting(): Promise<void>
}

const isWorker = (scope: object): scope is Worker => 'skipWaiting' in scope && 'clients' in scope
const scope: object = self
if (!isWorker(scope)) throw new Error('Register this file as a service worker.')
const worker = scope
const { version, files } = __PRECACHED__
const prefix = 'playground '
const ownCache = prefix + version
const urls = new Set(files.map((file) => new URL(file, worker.registration.scope).href))

/** The page itself is requested again, so that an old one is not stored by mistake. */
worker.addEventListener('install', (event) => {
  const fill = async (): Promise<void> => {
    const cache = await caches.open(ownCache)
    await storeFiles(cache, { page: new Request(worker.registration.scope, { cache: 'reload' }), files: urls, fetch })
  }
  event.waitUntil(fill())
})

worker.addEventListener('activate', (event) => {
  const begin = async (): Promise<void> => {
    await clear()
    await worker.clients.claim()
  }
  event.waitUntil(begin())
})

/** The user agreed to reload the page. */
worker.addEventListener('message', (event) => {
  if (event.data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request, resultingClientId } = event
  const way = wayOf(request, { scope: worker.registration.scope, files: urls })
  if (way === 'file') event.respondWith(kept(request))
  if (way !== 'page') return
  event.respondWith(answerPage(request, { fetch, kept: () => match(worker.registration.scope) }))
  event.waitUntil(noteWindow(resultingClientId).then(clear))
})

const kept = async (request: Request): Promise<Response> => (await match(request.url)) ?? fetch(request)

/** Returns a file that this version has stored, or an older one that a window still uses. A server may answer each client differently; here it is always the page. */
async function match(url: string): Promise<Response | undefined> {
  const own = await caches.open(ownCache)
  return (await own.match(url, { ignoreVary: true })) ?? caches.match(url, { ignoreVary: true })
}

/** Windows are recorded in the cache, since the browser stops this worker between requests. */
const noteOf = (client: string): string => new URL(`window-of-this-version/${client}`, worker.registration.scope).href

async function noteWindow(client: string): Promise<void> {
  if (!client) return
  const own = await caches.open(ownCache)
  await own.put(noteOf(client), new Response())
}

/** Deletes the older versions that no window uses. */
async function clear(): Promise<void> {
  const own = await caches.open(ownCache)
  const open = (await worker.clients.matchAll({ includeUncontrolled: true, type: 'window' })).map(({ id }) => id)
  const notes = (await own.keys()).map(({ url }) => url).filter((url) => url.startsWith(noteOf('')))
  const opened = new Set(notes.map((url) => url.slice(noteOf('').length)))
  const older = olderCaches({ names: await caches.keys(), prefix, own: ownCache, open, opened })
  await Promise.all(older.map((name) => caches.delete(name)))
}
