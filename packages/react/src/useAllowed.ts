import type { Run } from '@interleave/core'
import { checkAllowed } from '@interleave/core/internal'
import type { AllowStore } from '@interleave/core/journal'
import type { Allowed } from '@interleave/core/observe'
import { useEffect, useMemo, useState } from 'react'
import { reportProblem, useFailureWords } from './failureWords.ts'
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
 * Returns the permissions for later calls of a run, and a function that takes one back.
 *
 * @example
 * const { allowed, disallow } = useAllowed(run)
 * return allowed.map(({ id, ask }) => <button key={id} onClick={() => disallow(id)}>Ask again about {ask.tool}</button>)
 */
export function useAllowed(run: Run | undefined): Allowing {
  const allowed = useRun(run, allowedOf)
  return useMemo(() => ({ allowed, disallow: async (id) => run?.disallow(id) }), [run, allowed])
}

/** The permissions for good that a store has. */
export interface AllowingForGood extends Allowing {
  /** Why the store could not be read, for the user; empty if it could. */
  readonly problem: string
}

interface Read {
  readonly store: AllowStore
  readonly agent: string
  readonly allowed: readonly Allowed[]
  readonly error?: unknown
}
const none: readonly Allowed[] = []

/**
 * Returns the permissions for good of an agent's tools, and a function that takes one back. Reads them again when the
 * store reports a change, also of another tab.
 *
 * @example
 * const { allowed, disallow } = useAllowedForGood(store, 'planner')
 */
export function useAllowedForGood(store: AllowStore | undefined, agent: string | undefined): AllowingForGood {
  const [read, setRead] = useState<Read>()
  const [changes, setChanges] = useState(0)
  useEffect(() => store?.watch?.(() => setChanges((count) => count + 1)), [store])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is read again after each change
  useEffect(() => {
    if (!store || agent === undefined) return
    let isLatest = true
    const show = (allowed: readonly Allowed[], error?: unknown): void => {
      if (isLatest) setRead({ store, agent, allowed, error })
    }
    Promise.resolve()
      .then(async () => checkAllowed(await store.list(agent)))
      .then(
        (allowed) => show(allowed),
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
  const { allowed = none, error } = (isShown && read) || {}
  const wordsOf = useFailureWords()
  const problem = error === undefined ? '' : wordsOf(error)
  return useMemo(() => {
    const disallow = async (id: string): Promise<void> => {
      if (agent !== undefined) await store?.remove(agent, id)
      setChanges((count) => count + 1)
    }
    return { allowed, problem, disallow }
  }, [store, agent, allowed, problem])
}
