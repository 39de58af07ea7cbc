import type { Playground } from '../run/Playground.ts'
import { trustedScriptUrl } from '../safety/trustedPolicy.ts'

/** The time that the page has for itself before its files are fetched for later. */
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
      words: 'A new version is ready. Runs go on after the reload.',
      action: {
        label: 'Reload',
        run: () => {
          // Another window may have let it take over already.
          if (container.controller === worker) return location.reload()
          container.addEventListener('controllerchange', () => location.reload(), { once: true })
          worker.postMessage('take over')
        },
      },
    })
  // The first one takes over by itself: there is nothing older that it could disturb.
  if (registration.waiting && container.controller) offer(registration.waiting)
  registration.addEventListener('updatefound', () => {
    const { installing } = registration
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed' && container.controller) offer(installing)
    })
  })
}
