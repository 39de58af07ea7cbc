import type { Run, RunState, Signal } from '@interleave/core'
import { useCallback } from 'react'
import { useRun } from './useRun.ts'

type SignalOf<Output, Type extends Signal['type']> = Extract<Signal<Output>, { readonly type: Type }>

/**
 * Returns the signal of a paused or finished run, or undefined while it runs. With a type, only a signal of that type.
 *
 * @example
 * const failed = useSignal(run, 'failed')
 * if (failed) return <p role="alert">{failed.error.message}</p>
 */
export function useSignal<Output, Type extends Signal['type'] = Signal['type']>(
  run: Run<Output> | undefined,
  type?: Type,
): SignalOf<Output, Type> | undefined {
  const select = useCallback(
    ({ rest }: RunState) => (type === undefined || rest?.type === type ? rest : undefined),
    [type],
  )
  // The output of an answer has passed the agent's own schema.
  return useRun(run, select) as SignalOf<Output, Type> | undefined
}
