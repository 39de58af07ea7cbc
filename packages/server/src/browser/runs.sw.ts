import { indexedDbJournal } from '@interleave/core/indexeddb'
import { runSuiteAgents } from '@interleave/test-kit/run/suiteAgents'
import { createHandler } from '../createHandler.ts'

/** The part of a service worker's scope that is used here. */
interface Scope {
  addEventListener(type: 'install' | 'activate' | 'fetch', listener: (event: ScopeEvent) => void): void
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
}
interface ScopeEvent {
  readonly request: Request
  waitUntil(done: Promise<unknown>): void
  respondWith(response: Promise<Response>): void
}
const scope = globalThis as unknown as Scope

const handle = createHandler({
  agents: runSuiteAgents(),
  journal: indexedDbJournal({ name: 'runs-of-a-service-worker' }),
  secret: 'a secret for tests only, of 32 bytes and more',
  authorize: () => 'ada',
})
scope.addEventListener('install', (event) => event.waitUntil(scope.skipWaiting()))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname.includes('/v1/')) event.respondWith(handle(event.request))
})
