import { type AgentHandle, type Failure, isAgentError, type Run } from '@interleave/core'
import { attachRun } from './attachRun.ts'
import type { StartDefaults } from './ReActProvider.tsx'

/** Which run a component is to show: of the agent of this name, the one that was given or named. */
export interface Origin<Output> {
  readonly agent: string
  readonly run: Run<Output> | undefined
  readonly runId: string | undefined
}

/** The run that a component shows, and why there is none to attach to. */
export interface Shown<Output> {
  /** The request that it was shown for. It is stale once another run is requested. */
  readonly origin: Origin<Output>
  readonly run: Run<Output> | undefined
  readonly failure?: Failure | undefined
  /** The run that was named is being looked for. */
  readonly isAttaching: boolean
}

/** The state of event handlers: written by them and after a render, never during one. */
export interface Holder<Output> {
  agent: AgentHandle<Output>
  options: StartDefaults
  readonly shown: Shown<Output>
  /** The search for the run that was named, while there is one. */
  readonly attaching: Promise<Run<Output> | undefined> | undefined
  show(run: Run<Output> | undefined): void
  /** Switches to another run: the given one, or none until the named one is found. Does not notify listeners yet. */
  begin(origin: Origin<Output>): void
  /** Tells what was begun. */
  tell(): void
  /** Looks for the run that was named. Returns what calls it off. */
  attach(): () => void
  /** The run that is to be shown now, as soon as it is found. */
  arrive(): Run<Output> | undefined | Promise<Run<Output> | undefined>
}

export const firstShown = <Output>(origin: Origin<Output>): Shown<Output> => {
  const { run, runId } = origin
  return { origin, run, isAttaching: !run && runId !== undefined }
}

export const isSame = <Output>(a: Origin<Output>, b: Origin<Output>): boolean =>
  a.agent === b.agent && a.run === b.run && a.runId === b.runId

export function createHolder<Output>(
  first: Pick<Holder<Output>, 'agent' | 'options' | 'shown'>,
  tell: (shown: Shown<Output>) => void,
): Holder<Output> {
  let search = 0
  let told = first.shown
  const set = (shown: Shown<Output>): void => {
    holder.shown = told = shown
    tell(shown)
  }
  const holder: { -readonly [Name in keyof Holder<Output>]: Holder<Output>[Name] } = {
    ...first,
    attaching: undefined,
    show: (run) => set({ origin: holder.shown.origin, run, isAttaching: false }),
    begin(origin) {
      holder.shown = firstShown(origin)
      holder.attaching = undefined
    },
    tell() {
      if (told !== holder.shown) set(holder.shown)
    },
    arrive() {
      const { run, isAttaching } = holder.shown
      if (isAttaching && !holder.attaching) holder.attach()
      return holder.attaching ?? run
    },
    attach() {
      const { origin } = holder.shown
      const mine = ++search
      if (origin.runId === undefined) return () => {}
      // What was shown first says so already.
      if (!holder.shown.isAttaching) set({ origin, run: undefined, isAttaching: true })
      const end = (found: Partial<Shown<Output>>): void => {
        if (mine === search && holder.shown.isAttaching) set({ origin, run: undefined, ...found, isAttaching: false })
      }
      const attaching = attachRun(holder.agent, origin.runId, holder.options)
        .then(
          (run) => {
            end({ run })
            return run
          },
          (error) => {
            end({ failure: toFailure(error) })
            return undefined
          },
        )
        .finally(() => {
          if (holder.attaching === attaching) holder.attaching = undefined
        })
      holder.attaching = attaching
      return () => {
        if (mine === search) search++
      }
    },
  }
  return holder
}

function toFailure(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error)
  return isAgentError(error)
    ? { code: error.code, message, retryable: error.retryable }
    : { code: 'journal_failed', message, retryable: true }
}
