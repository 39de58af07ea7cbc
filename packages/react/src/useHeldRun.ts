import type { AgentHandle, Run, RunState } from '@interleave/core'
import { useEffect, useInsertionEffect, useRef, useState } from 'react'
import { useLatest } from './effects.ts'
import { HeldRun, type HeldView, initiallyShown, isSameRequest, type RunRequest } from './HeldRun.ts'
import { type StartDefaults, useStartDefaults } from './ReActProvider.tsx'

/** The options of `useReAct`. They are read when they are used, so inline objects are fine. */
export interface UseReActOptions<Output = unknown> extends StartDefaults {
  /** A run that was started elsewhere. */
  readonly run?: Run<Output> | undefined
  /** The id of a run in the journal to resume. */
  readonly runId?: string | undefined
  /** The state to show until that run is loaded, as the rendering server read it. */
  readonly initialState?: RunState | undefined
  /**
   * The effect of removing the component: the run continues unseen (`detach`, the default), or stops. A component
   * hidden by `<Activity>` or by suspending is not removed.
   */
  readonly onUnmount?: 'detach' | 'stop'
}

/** Returns the run that a component shows, and the object that loads and controls it. */
export function useHeldRun<Output>(
  agent: AgentHandle<Output>,
  options: UseReActOptions<Output>,
): readonly [HeldView<Output>, HeldRun<Output>] {
  const { run: given, runId, initialState: _, onUnmount = 'detach', ...own } = options
  const startOptions = { ...useStartDefaults(), ...own }
  const request: RunRequest<Output> = { agent: agent.name, run: given, runId: given ? undefined : runId }
  const [shown, setShown] = useState(() => initiallyShown(request))
  const [held] = useState(() => new HeldRun({ agent, options: startOptions, shown }, setShown))

  // Before the effects of children, which may call the controls.
  useInsertionEffect(() => {
    held.agent = agent
    held.options = startOptions
    if (!isSameRequest(held.shown.request, request)) held.switchTo(request)
  })
  useEffect(() => held.flush())
  // A journal may be opened later. A different journal object is no reason to load again: an app may create one in each
  // render.
  const hasJournal = startOptions.journal !== undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: loads again if another run is requested, or becomes available.
  useEffect(() => {
    const { isAttaching, failure } = held.shown
    return isAttaching || failure ? held.attach() : undefined
  }, [held, agent.name, given, runId, hasJournal])
  useRemoval(() => {
    if (onUnmount === 'stop') held.abandon()
  })
  return [isSameRequest(shown.request, request) ? shown : initiallyShown(request), held]
}

/** Calls back when the component is removed, and not if it is only hidden or restarts under StrictMode. */
function useRemoval(callback: () => void): void {
  const latest = useLatest(callback)
  const isMounted = useRef(false)
  useInsertionEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
      queueMicrotask(() => {
        if (!isMounted.current) latest.current()
      })
    }
  }, [latest])
}
