import {
  AgentError,
  type AgentHandle,
  type Ask,
  type Failure,
  isAgentError,
  type ReplyTo,
  type Run,
} from '@interleave/core'
import { attachRun, keepRun } from './pageRuns.ts'
import type { StartDefaults, UserContent } from './ReActProvider.tsx'

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

/** The actions of a user on an agent. The functions never change identity, so they are safe as dependencies. */
export interface Controls<Output = unknown> {
  /** Starts a run and shows it. The previous run continues unseen, unless it was stopped. */
  readonly start: (input: UserContent) => Run<Output>
  /** Says something to the run, or starts one with it. */
  readonly say: (content: UserContent) => Promise<void>
  /** Answers an open question. Rejects with what is wrong with the answer, and the question stays open. */
  readonly reply: Reply
  /** Ends the work now. What has arrived is kept. */
  readonly stop: (reason?: string) => Promise<void>
  /** Goes on after a failure or a stop. Looks again for a run that could not be attached to. */
  readonly resume: () => void
  /** Releases the run, which continues unseen. */
  readonly reset: () => void
}
export type Reply = <A extends Ask | string>(ask: A, value: ReplyTo<A>) => Promise<void>

export function createControls<Output>(holder: Holder<Output>): Controls<Output> {
  const start = (input: UserContent): Run<Output> => {
    const run = holder.agent.start(input, holder.options)
    keepRun(run, holder.options)
    holder.show(run)
    return run
  }
  return {
    start,
    async say(content) {
      const arriving = holder.arrive()
      const run = arriving instanceof Promise ? await arriving : arriving
      if (run) await run.say(content)
      else start(content)
    },
    async reply(ask: Ask | string, value: unknown) {
      const run = (await holder.arrive()) ?? noRun()
      await run.reply(typeof ask === 'string' ? ask : ask.id, value)
    },
    async stop(reason) {
      const run = await holder.arrive()
      await run?.stop(reason)
    },
    resume() {
      const { run, failure } = holder.shown
      if (run) run.resume()
      else if (failure) holder.attach()
      else noRun()
    },
    reset: () => holder.show(undefined),
  }
}

function noRun(): never {
  throw new AgentError('run_unknown', 'There is no run yet. Call start() or say() first.')
}
