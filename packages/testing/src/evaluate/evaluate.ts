import { type Agent, type Ask, type Host, localHost, type Run, type Signal } from '@interleave/core'
import { assertOption, checkOptions, isAgent, isObject, messageOf, orStopped } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import { type EvalResult, type Evaluation, passRate } from './evaluation.ts'
import type { EvalCase } from './readCases.ts'
import type { Score, Scorer } from './scorers.ts'

export interface EvaluateOptions {
  /** The agent, or a function that makes one for each run, such as with a fresh database. */
  readonly agent: Agent | ((one: EvalCase) => Agent | PromiseLike<Agent>)
  readonly cases: readonly EvalCase[]
  readonly scorer: Scorer
  /** The score from which a run passes; 1 by default. */
  readonly passAt?: number
  /** Runs of each case; 1 by default. Models vary, so one run proves little. */
  readonly runs?: number
  readonly runOptions?: EvalRunOptions
  readonly limits?: EvalLimits
  /** Called after each run, in the order in which they finish. */
  readonly onResult?: (result: EvalResult) => void
}

/** The options of each run. */
export interface EvalRunOptions {
  /** Answers the questions of a run. Without it, a run that asks does not pass. */
  readonly reply?: (ask: Ask, one: EvalCase) => unknown
  /** Persists the runs, for later inspection. */
  readonly journal?: Journal
  /** Time, ids and timers. */
  readonly host?: Host
}

/** The limits of an evaluation. */
export interface EvalLimits {
  /** Runs at the same time; 4 by default. */
  readonly concurrency?: number
  /** Milliseconds after which a run is stopped, and does not pass; 120,000 by default. Includes its replies and its score. */
  readonly timeoutMs?: number
  /** Stops the evaluation. */
  readonly signal?: AbortSignal
}

/** The number of runs at the same time, and the time of one. */
const defaults = { runsAtOnce: 4, runMs: 120_000 } as const
const most = { runs: 1_000, concurrency: 100, total: 100_000, replies: 100 } as const

/**
 * Runs an agent over a data set, several times if you like, and scores each answer. Rejects when `limits.signal`
 * aborts; `onResult` has then received the earlier results.
 *
 * @example
 * const { rate, cases } = await evaluate({ agent: guide, cases: await readCases(text, { format: 'jsonl' }), scorer: contains() })
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  check(options)
  const { cases, runs = 1, limits: { concurrency = defaults.runsAtOnce, signal } = {}, onResult } = options
  const tasks = cases.flatMap((one) => Array.from({ length: runs }, (_, index) => ({ one, number: index + 1 })))
  const results: EvalResult[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let task = tasks[next]; task; task = tasks[next]) {
      const index = next++
      signal?.throwIfAborted()
      const result = await new CaseRun(task.one, options).run(task.number)
      results[index] = result
      onResult?.(result)
    }
  }
  // The first failure ends the evaluation: no further run begins.
  const orEnd = (error: unknown): never => {
    next = tasks.length
    throw error
  }
  const workers = Array.from({ length: Math.min(concurrency, tasks.length) }, () => work().catch(orEnd))
  const [failed] = (await Promise.allSettled(workers)).filter((each) => each.status === 'rejected')
  if (failed) {
    signal?.throwIfAborted()
    throw failed.reason
  }
  // The runs of a case follow one after the other.
  const ofCases = cases.map(({ id }, index) => ({ id, ...passRate(results.slice(index * runs, (index + 1) * runs)) }))
  return { ...passRate(results), cases: ofCases, results }
}

const limitNames = ['concurrency', 'timeoutMs', 'signal'] as const
const runNames = ['reply', 'journal', 'host'] as const
const elsewhere = {
  ...Object.fromEntries(limitNames.map((name) => [name, `use \`limits: { ${name} }\``])),
  ...Object.fromEntries(runNames.map((name) => [name, `use \`runOptions: { ${name} }\``])),
}

function check(options: EvaluateOptions): void {
  checkOptions(
    'evaluate()',
    Object(options),
    ['agent', 'cases', 'scorer', 'passAt', 'runs', 'runOptions', 'limits', 'onResult'],
    elsewhere,
  )
  const { agent, cases, scorer, runs = 1, runOptions = {}, limits = {}, passAt = 1 }: EvaluateOptions = Object(options)
  checkOptions('`runOptions` of evaluate()', runOptions, runNames)
  checkOptions('`limits` of evaluate()', limits, limitNames)
  const { concurrency = defaults.runsAtOnce, timeoutMs = defaults.runMs } = limits
  const isCount = (value: number, to: number): boolean => Number.isInteger(value) && value >= 1 && value <= to
  assertOption(
    typeof agent === 'function' || isAgent(agent),
    '`agent` must be made by agent(), or be a function that returns one.',
  )
  assertOption(typeof scorer === 'function', '`scorer` must be a function, such as contains() or judge({ model }).')
  assertOption(
    Array.isArray(cases) && cases.length > 0,
    '`cases` must be a list that is not empty, such as readCases() returns.',
  )
  assertOption(isCount(runs, most.runs), `\`runs\` must be a whole number from 1 to ${most.runs}.`)
  assertOption(
    isCount(concurrency, most.concurrency),
    `\`concurrency\` must be a whole number from 1 to ${most.concurrency}.`,
  )
  assertOption(cases.length * runs <= most.total, `These are ${cases.length * runs} runs. Use at most ${most.total}.`)
  assertOption(
    cases.every((one) => typeof Object(one).id === 'string' && typeof Object(one).input === 'string'),
    'Each of the `cases` must have an `id` and an `input`, such as { id: "1", input: "How many?" }.',
  )
  assertOption(timeoutMs > 0, '`timeoutMs` must be a number above 0.')
  assertOption(passAt > 0 && passAt <= 1, '`passAt` must be above 0 and at most 1.')
  const ids = new Set(cases.map(({ id }) => id))
  assertOption(ids.size === cases.length, 'Two `cases` have the same id. Give each its own.')
}

/** One run of one case. It ends when its time is up, or when the evaluation is stopped. */
class CaseRun {
  readonly #one: EvalCase
  readonly #options: EvaluateOptions
  readonly #stop = new AbortController()

  constructor(one: EvalCase, options: EvaluateOptions) {
    this.#one = one
    this.#options = options
  }

  async run(number: number): Promise<EvalResult> {
    const { runOptions: { journal, host = localHost } = {}, limits, passAt = 1 } = this.#options
    const { signal, timeoutMs = defaults.runMs } = limits ?? {}
    const startedAt = host.now()
    const cancel = host.timer(timeoutMs, () => this.#stop.abort(new Error(`It took longer than ${timeoutMs} ms.`)))
    const abort = (): void => this.#stop.abort(new Error('The evaluation was stopped.'))
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    try {
      const agent = await this.#within(() => this.#agentOf())
      const run = agent.start(this.#one.input, { host, ...(journal && { journal }) })
      const ended = await this.#untilOver(run)
      const score = await this.#scoreOf(run, ended)
      signal?.throwIfAborted()
      const { usage, iteration } = run.state
      return {
        caseId: this.#one.id,
        number,
        runId: run.id,
        passed: score.score >= passAt,
        ...score,
        ...(ended.type === 'answer' && { output: ended.output }),
        turns: iteration,
        tokens: usage.inputTokens + usage.outputTokens,
        cost: usage.cost,
        ms: host.now() - startedAt,
      }
    } finally {
      cancel()
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Calls a function of the user, and waits for it until the run is stopped. */
  async #within<T>(call: () => T | PromiseLike<T>): Promise<T> {
    this.#stop.signal.throwIfAborted()
    return orStopped(call(), this.#stop.signal)
  }

  async #agentOf(): Promise<Agent> {
    const { agent: given } = this.#options
    const agent = typeof given === 'function' ? await given(this.#one) : given
    assertOption(isAgent(agent), `The function \`agent\` returned no agent for the case "${this.#one.id}".`)
    return agent
  }

  /** Answers the questions of a run until it finishes, and stops it when its time is up or a reply fails. */
  async #untilOver(run: Run): Promise<Signal> {
    const { signal } = this.#stop
    const stop = (): void => void run.stop(messageOf(signal.reason))
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      let settled = await run.settled
      for (let replies = 0; settled.type === 'inputNeeded' && replies < most.replies; replies++) {
        if (!(await this.#replyTo(settled.asks[0], run))) break
        settled = await run.settled
      }
      return settled
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }

  /** Returns false if there is no answer. An answer that fails, or does not fit, stops this run alone. */
  async #replyTo(ask: Ask, run: Run): Promise<boolean> {
    const { reply } = this.#options.runOptions ?? {}
    if (!reply) return false
    try {
      const value = await this.#within(() => reply(ask, this.#one))
      if (value === undefined) return false
      await run.reply(ask.id, value)
    } catch (error) {
      const { aborted, reason } = this.#stop.signal
      await run.stop(aborted ? messageOf(reason) : `\`reply\` failed: ${messageOf(error)}`)
    }
    return true
  }

  async #scoreOf({ state }: Run, signal: Signal): Promise<Score> {
    if (signal.type !== 'answer') return { score: 0, why: whyNoAnswer(signal) }
    const { scorer, runOptions: { host } = {} } = this.#options
    const scoring = { case: this.#one, output: signal.output, signal, state, abortSignal: this.#stop.signal, host }
    try {
      const scored = await this.#within(() => scorer(scoring))
      const { score: given, why } = isObject(scored) ? (scored as Partial<Score>) : { score: scored, why: undefined }
      const score: unknown = typeof given === 'boolean' ? Number(given) : given
      if (typeof score !== 'number' || !(score >= 0 && score <= 1))
        return {
          score: 0,
          why: `The scorer returned ${typeof score === 'function' ? 'a function' : String(score)}. Return true, false or a number from 0 to 1.`,
        }
      return { score, ...(why !== undefined && { why: String(why) }) }
    } catch (error) {
      return { score: 0, why: `The scorer failed: ${messageOf(error)}` }
    }
  }
}

function whyNoAnswer(ended: Signal): string {
  switch (ended.type) {
    case 'inputNeeded':
      return `It asks: ${ended.asks[0].prompt}`
    case 'failed':
      return ended.error.message
    case 'stopped':
      return ended.reason
    case 'limitReached':
      return `It reached the limit of ${ended.limit}.`
    case 'answer':
      return ''
  }
}
