import type { Run, Signal } from '@interleave/core'
import { adviceOf } from '@interleave/core/observe'
import { isDevelopment } from '../isDevelopment.ts'

type FailedSignal = Extract<Signal, { readonly type: 'failed' }>

const reported = new WeakSet<FailedSignal>()

/** Says in the console, in development, why a run failed: once, however many components show it. */
export function reportFailure({ state }: Run, signal: FailedSignal): void {
  if (!isDevelopment() || reported.has(signal)) return
  reported.add(signal)
  const { code, message } = signal.error
  const advice = adviceOf(signal.error)
  console.error(`The agent "${state.agent}" failed (${code}): ${message}${advice ? `\n${advice}` : ''}`)
}
