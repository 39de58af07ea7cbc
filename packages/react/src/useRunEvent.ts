import type { Run, RunState } from '@interleave/core'
import type { AnyEvent, EventOf } from '@interleave/core/observe'
import { useEffect } from 'react'
import { useLatest } from './useLatest.ts'

/**
 * Calls a function with each event of a type, live ones such as `delta` included, as they happen and whether or not anything is
 * rendered. It is the function of the latest render, so it sees what that saw. Called while the component is mounted and shown.
 *
 * @example
 * useRunEvent(run, 'rested', ({ signal }) => signal.type === 'answer' && play(chime))
 */
export function useRunEvent<Type extends AnyEvent['type']>(
  run: Run | undefined,
  type: Type,
  fn: (event: EventOf<Type>, state: RunState) => unknown,
): void {
  const latest = useLatest(fn)
  useEffect(
    () => run?.subscribe((event, state) => isOf(event, type) && void latest.current(event, state)),
    [run, type, latest],
  )
}

const isOf = <Type extends AnyEvent['type']>(event: AnyEvent, type: Type): event is EventOf<Type> => event.type === type
