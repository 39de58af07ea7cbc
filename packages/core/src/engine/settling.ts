import { checkArgument, DEV } from '#checks'
import { type Deferred, deferred } from '../deferred.ts'
import { AgentError } from '../error.ts'
import type { Event } from '../event.ts'
import type { Log } from '../log/log.ts'
import { assertOption, checkMessageKey } from '../options.ts'
import { isBlank, type UserContent } from '../part.ts'
import { type Ask, readExtensionReply } from '../question.ts'
import type { SayOptions } from '../run.ts'
import { type FailedSignal, failed, isOwnLimit, type Signal, type StoppedSignal } from '../signal.ts'
import { latestTurn, type RunState } from '../state.ts'

/** A period of work that has ended. */
interface Ended {
  readonly signal: Signal
  /** The exception that ended it. */
  readonly thrown: unknown
  /** The number of events when its last part began. */
  readonly begin: number
  /** The failure to write the log so far. */
  readonly fault: FailedSignal | undefined
}

/** The continuation of a run: it keeps working, it stays as it is, or it settles with a signal. */
type Next = 'works' | 'isLeft' | Signal

/** Decides whether a run settles, writes its signal, and resolves `settled` once the journal has it. */
export class Settling<Output> {
  readonly #log: Log
  /** The next signal. */
  #upcoming: Deferred<Signal<Output>> | undefined = undefined
  #entering: Promise<Signal<Output>> | undefined = undefined
  /** The number of failed writes that were reported. */
  #reported = 0

  constructor(log: Log) {
    this.#log = log
  }

  /** Resolves with the next signal; immediately, if the run is paused or finished. */
  get settled(): Promise<Signal<Output>> {
    const { signal } = this.#log.state
    if (!signal) return this.#next().promise
    return this.#entering ?? Promise.resolve(typed<Output>(signal))
  }

  /** Waits until the log is durable. Returns the failure, if that fails. */
  async fault(): Promise<FailedSignal | undefined> {
    try {
      await this.#log.durable()
      return undefined
    } catch (error) {
      return failed(error, 'journal_failed')
    }
  }

  /** Decides what follows the end of a period of work. */
  afterWork({ signal, thrown, begin, fault }: Ended): Next {
    const { state } = this.#log
    if (signal.type === 'answer' && isInterrupted(state, begin) && !fault) return 'works'
    // One part of the work failed while others still waited. The run settled with that failure, or has been resumed
    // since.
    if (this.#isReported(thrown) && state.signal) return 'isLeft'
    if (this.#isReported(thrown) && !fault) return 'works'
    const early = signal.type === 'limitReached' ? replyTo(signal.ask, this.#log) : undefined
    return fault ?? (early === 'extends' ? 'works' : (early ?? signal))
  }

  /** Returns the signal of a pause, or of what prevents it; undefined without an open question. */
  pauseSignal(fault: FailedSignal | undefined): Signal | undefined {
    const [first, ...others] = this.#log.state.asks
    return fault ?? (first && { type: 'inputNeeded', asks: [first, ...others] })
  }

  /** Writes the signal, and settles the run with it once the journal has it. */
  async enter(signal: Signal): Promise<void> {
    const log = this.#log
    const { promise, resolve: settle } = this.#next()
    this.#upcoming = undefined
    this.#entering = promise
    log.emit({ type: 'settled', signal })
    if (signal.type === 'failed') this.#reported = log.failures
    const failure = await this.fault()
    if (failure) this.#reported = log.failures
    // The run may have continued and settled again meanwhile.
    if (this.#entering === promise) this.#entering = undefined
    // The run does not settle with a signal that the journal lacks. The log is complete in memory, and `resume()`
    // writes it again.
    if (failure && signal.type !== 'failed' && log.state.signal === signal) {
      log.emit({ type: 'settled', signal: failure })
      settle(typed<Output>(failure))
    } else settle(failure && log.state.signal !== signal ? this.#next().promise : typed<Output>(signal))
  }

  /** Returns true if the run has already settled with this write failure. */
  #isReported(error: unknown): boolean {
    const failure = this.#log.failureOf(error)
    return failure > 0 && failure <= this.#reported
  }

  #next(): Deferred<Signal<Output>> {
    this.#upcoming ??= deferred()
    return this.#upcoming
  }
}

/** Types the output of an answer, which has passed the agent's own schema. */
const typed = <Output>(signal: Signal): Signal<Output> => signal as Signal<Output>

/** Returns the final signal if this reply ends the run at its limit. */
export function limitEnd(asked: Ask, reply: unknown): StoppedSignal | undefined {
  if (!isOwnLimit(asked) || !endsRun(asked, reply)) return undefined
  return { type: 'stopped', reason: `The limit is reached: ${asked.limit}.` }
}

type Extension = Extract<Ask, { readonly kind: 'extension' }>

/** Returns true if the reply ends the run at once, without a last answer of the model. */
const endsRun = ({ finish }: Extension, reply: unknown): boolean =>
  !finish && 'finish' in (readExtensionReply(reply) ?? {})

/** Returns the effect of a reply that arrived before the run could settle with the limit's question. */
function replyTo(ask: Ask, { state, log }: Log): 'extends' | StoppedSignal | undefined {
  if (ask.kind !== 'extension' || state.asks.some(({ id }) => id === ask.id)) return undefined
  const replied = log.findLast((event: Event) => event.type === 'replied' && event.ask === ask.id)
  if (replied?.type !== 'replied') return undefined
  return limitEnd(ask, replied.value) ?? 'extends'
}

/** Returns true if the model must get a message before the run settles. After a final call only the user's count. */
function isInterrupted(state: RunState, begin: number): boolean {
  const isFinal = latestTurn(state)?.calls.some(({ final }) => final)
  return state.pending.some(({ by, seq }) => seq >= begin && (by === 'user' || !isFinal))
}

/** Returns the stop in the log, if the log ends before its signal. */
export function unsettled(state: RunState): StoppedSignal | undefined {
  const { error } = latestTurn(state) ?? {}
  if (state.signal || state.pending.length > 0 || error?.code !== 'stopped') return undefined
  return { type: 'stopped', reason: error.message }
}

/** Throws unless a message of the user waits for a later turn. The one that the run works on does not. */
export function checkWaiting({ pending, draft, request }: RunState, seq: number): void {
  const isTaken = seq === request.seq || seq < (draft?.readUntil ?? 0)
  if (!isTaken && pending.some((said) => said.seq === seq && said.by === 'user')) return
  throw new AgentError('run_busy', 'The model has this message. Send another one.')
}

export function checkMessage(message: UserContent, options: SayOptions): void {
  checkArgument(options, 'options of say()', 'an object')
  const { key, replaces } = options
  checkMessageKey(key)
  assertOption(replaces !== undefined || !isBlank(message), DEV && 'say() needs a text that is not empty.')
}

/** Returns the reason of a stop. A button may pass its event, as in `onClick={run.stop}`. */
export const stopReason = (given: unknown): string => (typeof given === 'string' ? given : 'Stopped.')

/** Throws if the run waits for a message or a reply, since `resume` cannot continue it. */
export function checkResume({ signal }: RunState): void {
  if (!signal || signal.type === 'failed' || signal.type === 'stopped') return
  throw new AgentError('run_busy', `A run with the signal "${signal.type}" continues with say() or reply().`)
}
