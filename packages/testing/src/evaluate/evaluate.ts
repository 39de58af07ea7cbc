import { type Agent, type Ask, type Host, localHost, type Run, type Signal } from '@interleave/core'
import { assertOption, checkType, isAgent, isObject, messageOf, orStopped } from '@interleave/core/internal'
import type { Journal } from '@interleave/core/journal'
import type { EvalCase } from './readCases.ts'
import type { Score, Scorer } from './scorers.ts'
import { wilson } from './wilson.ts'

export interface EvaluateOptions {
  /** The agent, or a function that makes one for each run, such as with a fresh database. */
  readonly agent: Agent | ((one: EvalCase) => Agent | PromiseLike<Agent>)
  readonly cases: readonly EvalCase[]
  readonly scorer: Scorer
  /** Runs of each case; 1 by default. Models vary, so one run says little. */
  readonly runs?: number
  /** Runs at the same time; 4 by default. */
  readonly concurrency?: number
  /** The score from which a run passes; 1 by default. */
  readonly passAt?: number
  /** Answers the questions of a run. Without it, a run that asks does not pass. */
  readonly reply?: (ask: Ask, one: EvalCase) => unknown
  /**
   * Milliseconds after which a run is stopped, and does not pass; 120,000 by default. Includes its replies and its
   * score.
   */
  readonly timeoutMs?: number
  /** Persists the runs, to look at them later. */
  readonly journal?: Journal
  /** Time, ids and timers. */
  readonly host?: Host
  readonly signal?: AbortSignal
  /** Called after each run, in the order in which they finish. */
  readonly onResult?: (result: EvalResult) => void
}

/** One run of one case. */
export interface EvalResult {
  readonly caseId: string
  /** The number of the run of the case, from 1. */
  readonly number: number
  readonly runId: string
  readonly passed: boolean
  readonly score: number
  readonly why?: string
  readonly output?: unknown
  readonly turns: number
  readonly tokens: number
  readonly cost: number
  readonly ms: number
}

/** The share of runs that passed, of one case or of all. */
export interface PassRate {
  readonly passed: number
  readonly runs: number
  /** The rate, from 0 to 1. */
  readonly rate: number
  /** The rate that this many runs allow to claim, from and to, with 95 % confidence (Wilson). */
  readonly interval: readonly [number, number]
}

export interface Evaluation extends PassRate {
  /** The results in the order of the cases. */
  readonly cases: readonly (PassRate & { readonly id: string })[]
  readonly results: readonly EvalResult[]
}

const most = { runs: 1_000, concurrency: 100, total: 100_000, replies: 100 } as const

/**
 * Runs an agent over a data set, several times if you like, and scores each answer. Rejects when `signal` aborts; what finished before
 * was given to `onResult`.
 *
 * @example
 * const { rate, cases } = await evaluate({ agent: guide, cases: await readCases(text, { format: 'jsonl' }), scorer: contains() })
 */
export async function evaluate(options: EvaluateOptions): Promise<Evaluation> {
  check(Object(options))
  const { cases, runs = 1, concurrency = 4, signal, onResult } = options
  const tasks = cases.flatMap((one) => Array.from({ length: runs }, (_, index) => ({ one, number: index + 1 })))
  const results: EvalResult[] = []
  let next = 0
  const work = async (): Promise<void> => {
    for (let task = tasks[next]; task; task = tasks[next]) {
      const place = next++
      signal?.throwIfAborted()
      const result = await runOnce(task, options)
      results[place] = result
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

function check({ agent, cases, scorer, runs = 1, concurrency = 4, passAt = 1, timeoutMs = 1 }: EvaluateOptions): void {
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

interface Task {
  readonly one: EvalCase
  readonly number: number
}

async function runOnce({ one, number }: Task, options: EvaluateOptions): Promise<EvalResult> {
  const { journal, host = localHost, passAt = 1 } = options
  const startedAt = host.now()
  const limits = limitsOf(options, host)
  try {
    const agent = await within(limits, () => agentFor(one, options))
    const run = agent.start(one.input, { host, ...(journal && { journal }) })
    const ended = await untilOver(run, { one, options, limits })
    const score = await scoreOf({ one, run, ended, options, limits })
    options.signal?.throwIfAborted()
    const { usage, iteration } = run.state
    return {
      caseId: one.id,
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
    limits.end()
  }
}

async function agentFor(one: EvalCase, { agent: given }: EvaluateOptions): Promise<Agent> {
  const agent = typeof given === 'function' ? await given(one) : given
  assertOption(isAgent(agent), `The function \`agent\` returned no agent for the case "${one.id}".`)
  return agent
}

/** Ends when the time of a run is up, or the evaluation is stopped. */
interface Limits {
  readonly signal: AbortSignal
  end(): void
}

function limitsOf({ signal, timeoutMs = 120_000 }: EvaluateOptions, host: Host): Limits {
  const stop = new AbortController()
  const cancel = host.timer(timeoutMs, () => stop.abort(new Error(`It took longer than ${timeoutMs} ms.`)))
  const abort = (): void => stop.abort(new Error('The evaluation was stopped.'))
  signal?.addEventListener('abort', abort, { once: true })
  if (signal?.aborted) abort()
  const end = (): void => {
    cancel()
    signal?.removeEventListener('abort', abort)
  }
  return { signal: stop.signal, end }
}

/** Calls a function of the user's, and waits for it no longer than the run may take. */
async function within<T>({ signal }: Pick<Limits, 'signal'>, call: () => T | PromiseLike<T>): Promise<T> {
  signal.throwIfAborted()
  return orStopped(call(), signal)
}

interface Running {
  readonly one: EvalCase
  readonly options: EvaluateOptions
  readonly limits: Limits
}

/** Answers the questions of a run until it finishes, and stops it when its time is up or no answer comes. */
async function untilOver(run: Run, { one, options, limits }: Running): Promise<Signal> {
  const { signal } = limits
  const stop = (): void => void run.stop(messageOf(signal.reason))
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    let settled = await run.settled
    for (let replies = 0; settled.type === 'inputNeeded' && replies < most.replies; replies++) {
      const replied = await replyTo(settled.asks[0], run, { one, options, limits })
      if (!replied) break
      settled = await run.settled
    }
    return settled
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Returns false if there is no answer. An answer that fails, or does not fit, stops this run alone. */
async function replyTo(ask: Ask, run: Run, { one, options: { reply }, limits }: Running): Promise<boolean> {
  if (!reply) return false
  try {
    const value = await within(limits, () => reply(ask, one))
    if (value === undefined) return false
    await run.reply(ask.id, value)
  } catch (error) {
    await run.stop(limits.signal.aborted ? messageOf(limits.signal.reason) : `\`reply\` failed: ${messageOf(error)}`)
  }
  return true
}

interface Ended extends Running {
  readonly run: Run
  readonly ended: Signal
}

async function scoreOf({ one, run, ended, options, limits }: Ended): Promise<Score> {
  if (ended.type !== 'answer') return { score: 0, why: whyNoAnswer(ended) }
  const { scorer, host } = options
  const abortSignal = limits.signal
  const { output } = ended
  try {
    const scored = await within(limits, () =>
      scorer({ case: one, output, signal: ended, state: run.state, abortSignal, host }),
    )
    const { score: given, why } = isObject(scored) ? (scored as Partial<Score>) : { score: scored, why: undefined }
    const score: unknown = typeof given === 'boolean' ? Number(given) : given
    if (typeof score !== 'number' || !(score >= 0 && score <= 1))
      return { score: 0, why: `The scorer returned ${String(score)}. Return true, false or a number from 0 to 1.` }
    return { score, ...(why !== undefined && { why: String(why) }) }
  } catch (error) {
    return { score: 0, why: `The scorer failed: ${messageOf(error)}` }
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

/** Returns how many of these runs passed. */
export function passRate(results: readonly Pick<EvalResult, 'passed'>[]): PassRate {
  checkType(results ?? null, 'results of passRate()', 'a list')
  const passed = results.filter((result) => result.passed).length
  const runs = results.length
  return { passed, runs, rate: runs === 0 ? 0 : passed / runs, interval: wilson(passed, runs) }
}
