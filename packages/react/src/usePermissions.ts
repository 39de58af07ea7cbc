import type { Run } from '@interleave/core'
import { checkPermissions } from '@interleave/core/internal'
import type { PermissionStore } from '@interleave/core/journal'
import type { Permission } from '@interleave/core/observe'
import { useEffect, useMemo, useState } from 'react'
import { reportProblem, useFailureWords } from './failureWords.ts'
import { permissionsOf } from './selections.ts'
import { useRun } from './useRun.ts'

/** The permissions for later calls of a run. */
export interface Permissions {
  /** The permissions, oldest first. */
  readonly permissions: readonly Permission[]
  /** Takes a permission back, by its id. */
  readonly revoke: (id: string) => Promise<void>
}

/**
 * Returns the permissions for later calls of a run, and a function that takes one back.
 *
 * @example
 * const { permissions, revoke } = usePermissions(run)
 * return permissions.map(({ id, ask }) => <button key={id} onClick={() => revoke(id)}>Ask again about {ask.tool}</button>)
 */
export function usePermissions(run: Run | undefined): Permissions {
  const permissions = useRun(run, permissionsOf)
  return useMemo(() => ({ permissions, revoke: async (id) => run?.revoke(id) }), [run, permissions])
}

/** The permissions for good that a store has. */
export interface PersistentPermissions extends Permissions {
  /** Why the store could not be read, for the user; empty if it could. */
  readonly problem: string
}

interface Read {
  readonly store: PermissionStore
  readonly agent: string
  readonly permissions: readonly Permission[]
  readonly error?: unknown
}
const none: readonly Permission[] = []

/**
 * Returns the permissions for good of an agent's tools, and a function that takes one back. Reads them again when the
 * store reports a change, also of another tab.
 *
 * @example
 * const { permissions, revoke } = usePersistentPermissions(store, 'planner')
 */
export function usePersistentPermissions(
  store: PermissionStore | undefined,
  agent: string | undefined,
): PersistentPermissions {
  const [read, setRead] = useState<Read>()
  const [changes, setChanges] = useState(0)
  useEffect(() => store?.watch?.(() => setChanges((count) => count + 1)), [store])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again after each change
  useEffect(() => {
    if (!store || agent === undefined) return
    let isLatest = true
    const show = (permissions: readonly Permission[], error?: unknown): void => {
      if (isLatest) setRead({ store, agent, permissions, error })
    }
    Promise.resolve()
      .then(async () => checkPermissions(await store.list(agent)))
      .then(
        (permissions) => show(permissions),
        (error) => {
          reportProblem(error)
          show(none, error)
        },
      )
    return () => {
      isLatest = false
    }
  }, [store, agent, changes])
  const isShown = read?.store === store && read?.agent === agent
  const { permissions = none, error } = (isShown && read) || {}
  const wordsOf = useFailureWords()
  const problem = error === undefined ? '' : wordsOf(error)
  return useMemo(() => {
    const revoke = async (id: string): Promise<void> => {
      if (agent !== undefined) await store?.remove(agent, id)
      setChanges((count) => count + 1)
    }
    return { permissions, problem, revoke }
  }, [store, agent, permissions, problem])
}
