import type { Playground } from '../run/Playground.ts'
import { trustedScriptUrl } from '../safety/trustedPolicy.ts'

/** The time in which the page starts before its files are fetched for offline use. */
const headStartMs = 3_000

/** Lets the page work offline from its next visit on, and asks before a new version takes over. */
export async function keepOffline(
  { notify }: Pick<Playground, 'notify'>,
  container: ServiceWorkerContainer,
): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, headStartMs))
  const registration = await container.register(trustedScriptUrl('/sw.js'))
  const offer = (worker: ServiceWorker): void =>
    notify({
      id: 'update',
      tone: 'plain',
      words: 'A new version is ready. Runs continue after the reload.',
      action: {
        label: 'Reload',
        run: () => {
          // Another window may have activated it already.
          if (container.controller === worker) return location.reload()
          container.addEventListener('controllerchange', () => location.reload(), { once: true })
          worker.postMessage('take over')
        },
      },
    })
  // The first version takes over without a question, since no older one is in use.
  if (registration.waiting && container.controller) offer(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && container.controller) offer(installing)
    })
  })
}
