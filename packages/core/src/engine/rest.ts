import { AgentError } from '../error.ts'
import type { Log } from '../log/log.ts'
import { assertOption } from '../options.ts'
import { type GivenContent, isBlank } from '../part.ts'
import { type FailedSignal, failed, type Signal } from '../signal.ts'
import type { RunState } from '../state.ts'

/** Emits the signals of a run, each after it and everything before it is durable. */
export interface Rest<Output> {
  settled(): Promise<Signal<Output>>
  /** The failure to write what there is so far, if that fails. */
  fault(): Promise<FailedSignal | undefined>
  enter(signal: Signal): Promise<void>
  /** Returns true if the run has already settled with this write failure. */
  isTold(error: unknown): boolean
}

export function createRest<Output>(log: Log): Rest<Output> {
  type Settle = (signal: Signal<Output> | Promise<Signal<Output>>) => void
  let next: { promise: Promise<Signal<Output>>; settle: Settle } | undefined
  let entering: Promise<Signal<Output>> | undefined
  /** The number of failed writes that were reported. */
  let told = 0

  const upcoming = (): { promise: Promise<Signal<Output>>; settle: Settle } => {
    if (next) return next
    let settle: Settle = () => {}
    const promise = new Promise<Signal<Output>>((resolve) => {
      settle = resolve
    })
    next = { promise, settle }
    return next
  }
  const fault = async (): Promise<FailedSignal | undefined> => {
    try {
      await log.durable()
      return undefined
    } catch (error) {
      return failed(error, 'journal_failed')
    }
  }

  return {
    isTold: (error) => log.failureOf(error) > 0 && log.failureOf(error) <= told,
    settled() {
      const { rest } = log.state
      if (!rest) return upcoming().promise
      return entering ?? Promise.resolve(typed<Output>(rest))
    },
    fault,
    async enter(signal) {
      const { promise, settle } = upcoming()
      next = undefined
      entering = promise
      log.emit({ type: 'rested', signal })
      if (signal.type === 'failed') told = log.failures
      const failure = await fault()
      if (failure) told = log.failures
      // It may have been left, and another one entered.
      if (entering === promise) entering = undefined
      // What the journal does not have is no rest: the log is whole in memory, and `resume()` has it written again.
      if (failure && signal.type !== 'failed' && log.state.rest === signal) {
        log.emit({ type: 'rested', signal: failure })
        settle(typed<Output>(failure))
      } else settle(failure && log.state.rest !== signal ? upcoming().promise : typed<Output>(signal))
    },
  }
}

/** The output of an answer has passed the agent's own schema. */
const typed = <Output>(signal: Signal): Signal<Output> => signal as Signal<Output>

export const checkMessage = (message: GivenContent): void =>
  assertOption(!isBlank(message), 'say() needs a text that is not empty.')

/** Throws if the run waits for a message or a reply, since `resume` cannot continue it. */
export function checkResume({ rest }: RunState): void {
  if (!rest || rest.type === 'failed' || rest.type === 'stopped') return
  throw new AgentError('run_busy', `A run with the signal "${rest.type}" continues with say() or reply().`)
}
