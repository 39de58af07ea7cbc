import { type ComponentType, type LazyExoticComponent, lazy, type ReactNode } from 'react'
import { NotFetched } from './NotFetched.tsx'

/** A part of the page that is fetched when it is first shown. One that cannot be fetched says so, and takes nothing else with it. */
export const later = <Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Otherwise: () => ReactNode = NotFetched,
): LazyExoticComponent<ComponentType<Props>> =>
  lazy<ComponentType<Props>>(async () => ({ default: await load().catch(() => Otherwise) }))
