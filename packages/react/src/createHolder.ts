import type { AgentHandle, Failure, Run } from '@interleave/core'
import type { StartDefaults } from './ReActProvider.tsx'

/** The run that a component shows, and why there is none to attach to. */
export interface Shown<Output> {
  /** The option that named the run. When another one does, what is shown is out of date. */
  readonly origin: unknown
  readonly run: Run<Output> | undefined
  readonly failure?: Failure | undefined
}

/** What event handlers act on: written by them and after a render, never while rendering. */
export interface Holder<Output> {
  agent: AgentHandle<Output>
  options: StartDefaults
  origin: unknown
  run: Run<Output> | undefined
  /** Settles when the run that is to be shown was found, or was not. */
  attaching: Promise<unknown> | undefined
  isMounted: boolean
  show(run: Run<Output> | undefined, failure?: Failure): void
}

export function createHolder<Output>(
  first: Pick<Holder<Output>, 'agent' | 'options' | 'origin' | 'run'>,
  tell: (shown: Shown<Output>) => void,
): Holder<Output> {
  const holder: Holder<Output> = {
    ...first,
    attaching: undefined,
    isMounted: false,
    show(run, failure) {
      holder.run = run
      tell({ origin: holder.origin, run, failure })
    },
  }
  return holder
}
