import type { Run } from '@interleave/core'
import { useCallback, useSyncExternalStore } from 'react'

interface Outlet {
  readonly redraw: () => void
  /** True if it shows why a run failed. */
  readonly failures: boolean
}

/** The mounted outlets of each run, the first one first, and what else asks about them. */
const outlets = new WeakMap<Run, Map<object, Outlet>>()
const watchers = new WeakMap<Run, Set<() => void>>()

/** Returns true for the outlet that shows the run. Two of them would each open a dialog for one question. */
export function isFirst(outlet: object, run: Run | undefined): boolean {
  const [first = outlet] = (run && outlets.get(run)?.keys()) ?? []
  return first === outlet
}

/** Mounts an outlet, and returns true if it is the one that shows the run. */
export function useIsFirst(outlet: object, run: Run | undefined, failures: boolean): boolean {
  const mount = useCallback(
    (redraw: () => void) => {
      const all = (run && outlets.get(run)) ?? new Map<object, Outlet>()
      if (run) outlets.set(run, all.set(outlet, { redraw, failures }))
      redrawAll(run)
      return () => {
        all.delete(outlet)
        redrawAll(run)
      }
    },
    [outlet, run, failures],
  )
  return useSyncExternalStore(
    mount,
    () => isFirst(outlet, run),
    () => true,
  )
}

function redrawAll(run: Run | undefined): void {
  if (!run) return
  for (const { redraw } of outlets.get(run)?.values() ?? []) redraw()
  for (const redraw of watchers.get(run) ?? []) redraw()
}

/** Returns true if an outlet in the page shows why the run failed. */
export function useHasFailureOutlet(run: Run | undefined): boolean {
  const watch = useCallback(
    (redraw: () => void) => {
      const all = (run && watchers.get(run)) ?? new Set<() => void>()
      if (run) watchers.set(run, all.add(redraw))
      return () => void all.delete(redraw)
    },
    [run],
  )
  const read = (): boolean => {
    const [first] = (run && outlets.get(run)?.values()) ?? []
    return first?.failures === true
  }
  return useSyncExternalStore(watch, read, () => false)
}
