import type { Run, RunState, Signal } from '@interleave/core'
import { useRun } from './useRun.ts'

/**
 * The status of a run. `idle`: no run. `waiting`: it waits for a reply or a limit extension. `resting`: it has
 * answered, failed or was stopped.
 */
export type RunStatus<Output = unknown> =
  | { readonly status: 'idle'; readonly signal?: undefined }
  | { readonly status: 'working'; readonly signal?: undefined }
  | { readonly status: 'waiting'; readonly signal: Extract<Signal<Output>, { type: WaitingType }> }
  | { readonly status: 'resting'; readonly signal: Exclude<Signal<Output>, { type: WaitingType }> }

type WaitingType = 'inputNeeded' | 'limitReached'

/** Returns the status of a run and, if it has paused or finished, its signal. Comparing `status` narrows `signal`. */
export const useStatus = <Output>(run: Run<Output> | undefined): RunStatus<Output> =>
  // The output of an answer has passed the agent's own schema.
  useRun(run, statusOf) as RunStatus<Output>

const idle: RunStatus = Object.freeze({ status: 'idle' })
const working: RunStatus = Object.freeze({ status: 'working' })
const perSignal = new WeakMap<Signal, RunStatus>()

export function statusOf({ seq, rest }: RunState): RunStatus {
  if (!rest) return seq === 0 ? idle : working
  const known = perSignal.get(rest)
  if (known) return known
  const made = toStatus(rest)
  perSignal.set(rest, made)
  return made
}

const toStatus = (signal: Signal): RunStatus =>
  signal.type === 'inputNeeded' || signal.type === 'limitReached'
    ? { status: 'waiting', signal }
    : { status: 'resting', signal }
