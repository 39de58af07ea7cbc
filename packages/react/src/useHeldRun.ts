import type { AgentHandle, Run, RunState } from '@interleave/core'
import { useEffect, useInsertionEffect, useRef, useState } from 'react'
import { useLatest } from './effects.ts'
import {
  type Controls,
  createControls,
  createHolder,
  firstShown,
  type Holder,
  isSame,
  type Origin,
  type Shown,
} from './HeldRun.ts'
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

interface HeldRun<Output> extends Omit<Shown<Output>, 'origin'> {
  readonly controls: Controls<Output>
}

/** Which run a component shows, and what starts, attaches and lets go of it. The run itself lives outside of React. */
export function useHeldRun<Output>(agent: AgentHandle<Output>, options: UseReActOptions<Output>): HeldRun<Output> {
  const { run: given, runId, initialState: _, onUnmount = 'detach', ...own } = options
  const startOptions = { ...useStartDefaults(), ...own }
  const origin: Origin<Output> = { agent: agent.name, run: given, runId: given ? undefined : runId }
  const [shown, setShown] = useState(() => firstShown(origin))
  const [holder] = useState(() => createHolder({ agent, options: startOptions, shown }, setShown))
  const [controls] = useState(() => createControls(holder))

  // Before the effects of children, which may call what this gave them.
  useInsertionEffect(() => {
    holder.agent = agent
    holder.options = startOptions
    if (!isSame(holder.shown.origin, origin)) holder.begin(origin)
  })
  useEffect(() => holder.tell())
  // A journal may be there only after a while. Another one is no reason to look again: it may be made anew in each render.
  const hasJournal = startOptions.journal !== undefined
  const { agent: name } = origin
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever another run is named, or can be found.
  useEffect(() => {
    const { isAttaching, failure } = holder.shown
    return isAttaching || failure ? holder.attach() : undefined
  }, [holder, name, given, runId, hasJournal])
  useRemoval(() => {
    if (onUnmount === 'stop') stop(holder)
  })

  const { run, failure, isAttaching } = isSame(shown.origin, origin) ? shown : firstShown(origin)
  return { run, failure, isAttaching, controls }
}

/** Stops the run. Errors appear in the run itself. */
function stop<Output>({ shown, attaching }: Holder<Output>): void {
  if (shown.run) shown.run.stop().catch(() => {})
  else attaching?.then((run) => run?.stop()).catch(() => {})
}

/**
 * Calls back when the component is removed for good. Other effects end too when it is only hidden, as by `<Activity>`, and
 * begin again at once under StrictMode and after a hot reload; this one looks a moment later whether it did.
 */
function useRemoval(callback: () => void): void {
  const latest = useLatest(callback)
  const isHere = useRef(false)
  useInsertionEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      queueMicrotask(() => {
        if (!isHere.current) latest.current()
      })
    }
  }, [latest])
}
