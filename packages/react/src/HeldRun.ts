import {
  AgentError,
  type AgentHandle,
  type Ask,
  type Failure,
  isAgentError,
  type ReplyTo,
  type Run,
  type ToolSet,
  type UserContent,
} from '@interleave/core'
import { askId, isOvertaken, messageOf } from '@interleave/core/internal'
import { attachRun, newId, registerRun, takeBackRun } from './pageRuns.ts'
import type { StartDefaults } from './ReActProvider.tsx'
import { noteShown } from './shownByRun.ts'
import { noteStarted } from './voice/startedRuns.ts'

/** The actions of a user on an agent. The functions never change identity, so they are safe as dependencies. */
export interface Controls<Output = unknown, Tools extends ToolSet = ToolSet> {
  /**
   * Starts a run and shows it. The previous run continues unseen, unless it was stopped. Throws if no run could be started,
   * such as for invalid options; `error` has the reason too.
   */
  readonly start: (input: UserContent) => Run<Output, Tools>
  /**
   * Sends a message to the run, or starts a run with it. Resolves once the message is durable. Rejects with the reason that
   * `error` has too: a rejection that no code handles is not reported as unhandled.
   */
  readonly say: (content: UserContent) => Promise<void>
  /** Answers an open question. Rejects with an error if the answer is invalid; the question then stays open. */
  readonly reply: Reply
  /** Takes back a permission for later calls, by its id in `allowed`. */
  readonly revoke: (id: string) => Promise<void>
  /** Stops the work now. Everything that has arrived stays in the log. */
  readonly stop: (reason?: string) => Promise<void>
  /** Continues after a failure or a stop. Retries loading a run that could not be loaded. Throws if there is no run. */
  readonly resume: () => void
  /** Releases the run, which continues unseen. */
  readonly reset: () => void
}
export type Reply = <A extends Ask | string>(ask: A, value: ReplyTo<A>) => Promise<void>

/** The run that a component requests: an object, or the id of one. */
export interface RunRequest<Output> {
  /** The name of the agent. */
  readonly agent: string
  readonly run: Run<Output> | undefined
  readonly runId: string | undefined
}

/** The run that a component shows, or why it could not be loaded. */
export interface HeldView<Output> {
  /** The request that it was shown for. It is stale once another run is requested. */
  readonly request: RunRequest<Output>
  readonly run: Run<Output> | undefined
  readonly failure?: Failure | undefined
  /** The reason why the last message was not accepted, or no run was started. */
  readonly refusal?: Failure | undefined
  /** The run of `runId` is being loaded. */
  readonly isAttaching: boolean
}

export const isSameRequest = <Output>(a: RunRequest<Output>, b: RunRequest<Output>): boolean =>
  a.agent === b.agent && a.run === b.run && a.runId === b.runId

export const initiallyShown = <Output>(request: RunRequest<Output>): HeldView<Output> => ({
  request,
  run: request.run,
  isAttaching: !request.run && request.runId !== undefined,
})

/** The run of a component, outside of React. Event handlers and effects write it, a render never does. */
export class HeldRun<Output> implements Controls<Output> {
  agent: AgentHandle<Output>
  options: StartDefaults
  #shown: HeldView<Output>
  readonly #notify: (shown: HeldView<Output>) => void
  #loading: Promise<Run<Output> | undefined> | undefined
  #loads = 0
  /** A run whose host did not take its first message, so that there is no such run: the next message starts another. */
  #refusedRun: Run<Output> | undefined

  constructor(
    { agent, options, shown }: Pick<HeldRun<Output>, 'agent' | 'options' | 'shown'>,
    notify: (shown: HeldView<Output>) => void,
  ) {
    this.agent = agent
    this.options = options
    this.#shown = shown
    this.#notify = notify
  }

  get shown(): HeldView<Output> {
    return this.#shown
  }

  /** Switches to another run: the given one, or none until the one with the id is loaded. Does not notify. */
  switchTo(request: RunRequest<Output>): void {
    this.#cancelLoad()
    this.#shown = initiallyShown(request)
  }

  /** Loads the run of `runId`. Returns a function that makes the component ignore the result. */
  attach(): () => void {
    const { request, isAttaching } = this.#shown
    const load = ++this.#loads
    if (request.runId === undefined) return () => {}
    if (!isAttaching) this.#show({ request, run: undefined, isAttaching: true })
    const end = (result: Pick<HeldView<Output>, 'run' | 'failure'>): Run<Output> | undefined => {
      if (load === this.#loads) this.#show({ request, ...result, isAttaching: false })
      return result.run
    }
    const loading = attachRun(this.agent, request.runId, this.options)
      .then(
        (run) => end({ run }),
        (error) => end({ run: undefined, failure: toFailure(error) }),
      )
      .finally(() => {
        if (this.#loading === loading) this.#loading = undefined
      })
    this.#loading = loading
    return () => {
      if (load === this.#loads) this.#loads++
    }
  }

  readonly start = (input: UserContent): Run<Output> => this.#start(input, this.options)

  readonly say = (content: UserContent): Promise<void> => {
    const said = this.#say(content)
    // The error is shown. An app that ignores the promise has not missed it.
    said.catch((error) => this.#refuse(error))
    return said
  }

  async #say(content: UserContent): Promise<void> {
    this.#refuse(undefined)
    const loaded = this.#loaded()
    // Awaits only a promise, so that the run starts synchronously.
    const run = loaded instanceof Promise ? await loaded : loaded
    const isRefused = run !== undefined && run === this.#refusedRun && hasFailed(run)
    if (run && !isRefused) await run.say(content)
    else if (loaded && !isRefused) notLoaded()
    else await this.#startWith(content)
  }

  readonly reply = async (ask: Ask | string, value: unknown): Promise<void> => {
    const run = (await this.#loaded()) ?? noRun()
    await run.reply(askId(ask), value)
  }

  readonly revoke = async (id: string): Promise<void> => {
    const run = (await this.#loaded()) ?? noRun()
    await run.revoke(id)
  }

  readonly stop = async (reason?: string): Promise<void> => {
    const run = await this.#loaded()
    await run?.stop(reason)
  }

  readonly resume = (): void => {
    const { run, failure } = this.#shown
    this.#refuse(undefined)
    if (run && this.#isOvertaken(run)) this.#takeBack(run).catch((error) => this.#refuse(error))
    else if (run) run.resume()
    else if (failure) this.attach()
    else noRun()
  }

  readonly reset = (): void => this.#replace(undefined)

  /** Stops the run because its component was removed. Errors appear in the run itself. */
  abandon(): void {
    const { run } = this.#shown
    const stopped = run ? run.stop() : this.#loading?.then((loaded) => loaded?.stop())
    stopped?.catch(() => {})
  }

  #start(input: UserContent, options: StartDefaults & { readonly key?: string }): Run<Output> {
    try {
      const run = this.agent.start(input, options)
      noteStarted(run)
      registerRun(run, this.options)
      this.#replace(run)
      return run
    } catch (error) {
      this.#refuse(error)
      throw error
    }
  }

  /** Shows an error that no run shows; undefined removes it. */
  #refuse(error: unknown): void {
    if (error === undefined && !this.#shown.refusal) return
    const refusal = error === undefined ? undefined : toFailure(error)
    this.#show({ ...this.#shown, refusal })
  }

  /** Starts a run with a message. Resolves when it is durable: a message with a known key is not added again. */
  async #startWith(content: UserContent): Promise<void> {
    const key = newId(this.options)
    const run = this.#start(content, { ...this.options, key })
    try {
      await run.say(content, { key })
    } catch (error) {
      if (hasFailed(run)) noteShown(error)
      if (isAgentError(error) && (!error.retryable || error.code === 'too_large')) this.#refusedRun = run
      throw error
    }
  }

  /** Returns the run to act on, once it is loaded. */
  #loaded(): Run<Output> | undefined | Promise<Run<Output> | undefined> {
    const { run, isAttaching } = this.#shown
    if (isAttaching && !this.#loading) this.attach()
    return this.#loading ?? (run && this.#isOvertaken(run) ? this.#takeBack(run) : run)
  }

  #isOvertaken(run: Run<Output>): boolean {
    return this.options.journal !== undefined && isOvertaken(run)
  }

  /** Loads the run again, to continue here. */
  async #takeBack({ id }: Run<Output>): Promise<Run<Output>> {
    const load = ++this.#loads
    const run = await takeBackRun(this.agent, id, this.options)
    if (load === this.#loads) this.#replace(run)
    return run
  }

  /** Shows another run for the same request. */
  #replace(run: Run<Output> | undefined): void {
    this.#cancelLoad()
    this.#show({ request: this.#shown.request, run, isAttaching: false })
  }

  /** Ignores the run that is still being loaded. */
  #cancelLoad(): void {
    this.#loading = undefined
    this.#loads++
  }

  #show(shown: HeldView<Output>): void {
    this.#shown = shown
    this.#notify(shown)
  }
}

const hasFailed = ({ state }: Pick<Run, 'state'>): boolean => state.signal?.type === 'failed'

function toFailure(error: unknown): Failure {
  const message = messageOf(error)
  if (!isAgentError(error)) return { code: 'journal_failed', message, retryable: true }
  const { code, retryable, userMessage } = error
  return { code, message, retryable, ...(userMessage && { userMessage }) }
}

/** Rejects a message to a run that could not be loaded: it must not start another run. */
function notLoaded(): never {
  throw new AgentError('run_unknown', 'The run could not be loaded. Call resume(), then send the message again.')
}

function noRun(): never {
  throw new AgentError('run_unknown', 'There is no run yet. Call start() or say() first.')
}
