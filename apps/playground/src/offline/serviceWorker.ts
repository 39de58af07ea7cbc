import { wayOf } from './wayOf.ts'

/** What the build puts in the place of this name: every file of the page, and one word that changes when any of them does. */
declare const __PRECACHED__: { readonly version: string; readonly files: readonly string[] }

interface WorkerEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchEvent extends WorkerEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}
/** As much of a service worker as is used here: the types of pages and of workers do not go together. */
interface Worker extends EventTarget {
  readonly clients: { claim(): Promise<void> }
  readonly registration: { readonly scope: string }
  skipWaiting(): Promise<void>
}

const worker = self as unknown as Worker
const { version, files } = __PRECACHED__
const prefix = 'playground '
const urls = new Set(files.map((file) => new URL(file, worker.registration.scope).href))

/** The page itself is asked for anew, so that an old one cannot be kept by mistake. */
worker.addEventListener('install', (event) => {
  const fill = async (): Promise<void> => {
    const cache = await caches.open(prefix + version)
    await cache.addAll([new Request(worker.registration.scope, { cache: 'reload' }), ...urls])
  }
  ;(event as WorkerEvent).waitUntil(fill())
})

worker.addEventListener('activate', (event) => {
  const clear = async (): Promise<void> => {
    const names = await caches.keys()
    const old = names.filter((name) => name.startsWith(prefix) && name !== prefix + version)
    await Promise.all(old.map((name) => caches.delete(name)))
    await worker.clients.claim()
  }
  ;(event as WorkerEvent).waitUntil(clear())
})

/** A person said that the page may be loaded again. */
worker.addEventListener('message', (event) => {
  if ((event as MessageEvent).data === 'take over') void worker.skipWaiting()
})

worker.addEventListener('fetch', (event) => {
  const { request } = event as FetchEvent
  const way = wayOf(request, { scope: worker.registration.scope, files: urls })
  if (way) (event as FetchEvent).respondWith(way === 'page' ? newest(request) : kept(request))
})

async function newest(request: Request): Promise<Response> {
  try {
    const response = await fetch(request, { signal: AbortSignal.timeout(4_000) })
    if (response.ok) return response
  } catch {}
  return (await caches.match(worker.registration.scope, { ignoreVary: true })) ?? fetch(request)
}

/** A server may answer differently by who asks. Here it is always the page. */
const kept = async (request: Request): Promise<Response> =>
  (await caches.match(request.url, { ignoreVary: true })) ?? fetch(request)
