import type { Run } from '@interleave/core'
import type { Allowed } from '@interleave/core/observe'
import { useMemo } from 'react'
import { allowedOf } from './selections.ts'
import { useRun } from './useRun.ts'

/** The permissions for later calls of a run. */
export interface Allowing {
  /** The permissions, oldest first. */
  readonly allowed: readonly Allowed[]
  /** Takes a permission back, by its id. */
  readonly disallow: (id: string) => Promise<void>
}

/**
 * Returns the permissions that replies to approvals gave, and how to take them back.
 *
 * @example
 * const { allowed, disallow } = useAllowed(run)
 * return allowed.map(({ id, ask }) => <button key={id} onClick={() => disallow(id)}>Ask again about {ask.tool}</button>)
 */
export function useAllowed(run: Run | undefined): Allowing {
  const allowed = useRun(run, allowedOf)
  return useMemo(() => ({ allowed, disallow: async (id) => run?.disallow(id) }), [run, allowed])
}
