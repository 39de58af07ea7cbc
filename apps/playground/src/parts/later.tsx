import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react'
import './notFetched.css'

/** The message for a part of the page that could not be fetched, and what helps. */
export const notFetched = {
  words: 'This part of the page could not be fetched. Your runs and texts are stored.',
  action: { label: 'Load the page again', run: () => location.reload() },
} as const

/**
 * A part of the page that is fetched when it is first shown. If it cannot be fetched, it shows that, and the rest of
 * the page works.
 */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Otherwise: () => ReactNode = NotFetched,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => Otherwise) }))

/**
 * The placeholder of a part of the page that could not be fetched: there is no network, or a newer version replaced it.
 */
export const NotFetched = () => (
  <div role="alert" className="not-fetched">
    <p>{notFetched.words}</p>
    <button type="button" className="button" onClick={notFetched.action.run}>
      {notFetched.action.label}
    </button>
  </div>
)
