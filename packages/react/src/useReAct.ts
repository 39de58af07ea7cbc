import type { AgentHandle, Run, RunState } from '@interleave/core'
import { useMemo, useState } from 'react'
import type { Controls } from './createControls.ts'
import { createTracker } from './createTracker.ts'
import type { Fields } from './fields.ts'
import { type UseReActOptions, useHeldRun } from './useHeldRun.ts'
import { storeOf, useRun } from './useRun.ts'

export interface ReAct<Output = unknown> extends Fields<Output>, Controls<Output> {
  readonly run: Run<Output> | undefined
}

/**
 * An agent in a component: starts runs, talks to them, and shows what they do. The component renders only for the fields
 * that it reads. A run lives outside of React: it survives renders, and goes on when the component unmounts.
 *
 * @example
 * const { say, answer, isWorking } = useReAct(planner)
 * return <button disabled={isWorking} onClick={() => say('A weekend in Lisbon')}>{answer ?? 'Plan'}</button>
 */
export function useReAct<Output>(agent: AgentHandle<Output>, options: UseReActOptions<Output> = {}): ReAct<Output> {
  const { run, failure, controls } = useHeldRun(agent, options)
  const [tracker] = useState(createTracker)
  const drawn = useRun(run, whole, tracker.isEqual)
  return useMemo(() => {
    // A field that was not read before was not watched: it is read from the store, not from what was drawn last.
    const view = tracker.view(() => (run ? storeOf(run).getState() : drawn))
    const own = { run, ...controls, ...(failure && { error: failure }) }
    // The output of an answer has passed the agent's own schema.
    return Object.defineProperties(view, Object.getOwnPropertyDescriptors(own)) as ReAct<Output>
  }, [tracker, run, drawn, failure, controls])
}

const whole = (state: RunState): RunState => state
