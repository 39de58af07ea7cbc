import { AgentError, type Ask, type ReplyTo, type Run } from '@interleave/core'
import { keepRun } from './attachRun.ts'
import type { Holder } from './createHolder.ts'
import type { UserContent } from './ReActProvider.tsx'

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
