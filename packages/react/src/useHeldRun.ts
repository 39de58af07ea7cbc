import { type AgentHandle, type Failure, isAgentError, type Run } from '@interleave/core'
import { useEffect, useState } from 'react'
import { attachRun } from './attachRun.ts'
import { type Controls, createControls } from './createControls.ts'
import { createHolder, type Holder, type Shown } from './createHolder.ts'
import { type StartDefaults, useStartDefaults } from './ReActProvider.tsx'

export interface UseReActOptions<Output = unknown> extends StartDefaults {
  /** A run that was started elsewhere. */
  readonly run?: Run<Output>
  /** A run to go on with: the one with this id in the journal. */
  readonly runId?: string
  /** Stop the run when the component unmounts or is hidden. Otherwise it goes on without it. */
  readonly stopOnUnmount?: boolean
}

export interface HeldRun<Output> extends Omit<Shown<Output>, 'origin'> {
  readonly controls: Controls<Output>
}

/** Which run a component shows, and what starts, attaches and lets go of it. The run itself lives outside of React. */
export function useHeldRun<Output>(agent: AgentHandle<Output>, options: UseReActOptions<Output>): HeldRun<Output> {
  const { run: given, runId, stopOnUnmount = false, ...own } = options
  const startOptions = { ...useStartDefaults(), ...own }
  const origin = given ?? runId
  const [shown, setShown] = useState<Shown<Output>>({ origin, run: given })
  const [holder] = useState(() => createHolder({ agent, options: startOptions, origin, run: given }, setShown))
  const [controls] = useState(() => createControls(holder))

  useEffect(() => {
    holder.agent = agent
    holder.options = startOptions
    if (holder.origin === origin) return
    holder.origin = origin
    holder.show(given)
  })
  useAttachedRun(holder, given ? undefined : runId)
  useStopOnUnmount(holder, stopOnUnmount)

  const { run, failure }: Omit<Shown<Output>, 'origin'> = shown.origin === origin ? shown : { run: given }
  return { run, failure, controls }
}

function useAttachedRun<Output>(holder: Holder<Output>, runId: string | undefined): void {
  useEffect(() => {
    if (runId === undefined || holder.run) return undefined
    let isHere = true
    const attaching = attachRun(holder.agent, runId, holder.options)
      .then(
        (run) => void (isHere && !holder.run && holder.show(run)),
        (error) => void (isHere && !holder.run && holder.show(undefined, toFailure(error))),
      )
      .finally(() => {
        if (holder.attaching === attaching) holder.attaching = undefined
      })
    holder.attaching = attaching
    return () => {
      isHere = false
    }
  }, [holder, runId])
}

function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return isAgentError(error)
    ? { code: error.code, message, retryable: error.retryable }
    : { code: 'journal_failed', message, retryable: true }
}

/** StrictMode unmounts and mounts again in one go, and that must not stop anything: the stop waits for a microtask. */
function useStopOnUnmount<Output>(holder: Holder<Output>, isWanted: boolean): void {
  useEffect(() => {
    holder.isMounted = true
    return () => {
      holder.isMounted = false
      queueMicrotask(() => {
        if (isWanted && !holder.isMounted) void holder.run?.stop()
      })
    }
  }, [holder, isWanted])
}
