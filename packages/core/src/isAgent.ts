import type { Agent } from './run.ts'

/** Told by its backend: a page may hold more than one copy of this package. */
export const isAgent = (value: unknown): value is Agent =>
  typeof value === 'object' && value !== null && 'backend' in value && typeof value.backend === 'function'
