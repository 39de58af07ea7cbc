import type { LanguageModelV4 } from '@ai-sdk/provider'
import { checkOptions, checkStep, DEV } from '#checks'
import { compactionChanges } from '../../changes/compaction.ts'
import { AgentError } from '../../error.ts'
import { assertOption } from '../../options.ts'
import type { RunContext, Step } from '../../run.ts'
import { awaitsThought, itemAt, latestTurn, lengthOf, type RunState } from '../../state.ts'
import { needsOf } from '../../step.ts'
import { isOverflow } from '../retry.ts'
import { cutLatest, cutResults } from './cutResults.ts'
import { dropTurns, omission } from './dropTurns.ts'
import { type ContextUsage, estimateEntry, measure } from './measure.ts'
import { type CompactionStrategy, shorten } from './pipeline.ts'
import { entriesIn, messagesIn, partsOf, type Segment, segmentsOf, tokensOf } from './segment.ts'
import { summarize } from './summarize.ts'

export interface CompactOptions {
  /** The model's token limit, input and output together. With several possible models the smallest counts. */
  contextWindow: number | ((model: LanguageModelV4) => number)
  /** The share of the window at which the history is shortened; 0.8 by default. The rest is left for the answer. */
  ratio?: number
  /** The share of the window to which it is shortened; half of `ratio` by default, so that it does not happen often. */
  target?: number
  /** The number of latest entries that stay unchanged if there is room; 6 by default. The latest turn always stays. */
  keep?: number
  /**
   * Applied in order until the target is reached. By default long results are cut; if that is not enough a summary is
   * written, and if that fails old turns are dropped.
   */
  strategies?: readonly CompactionStrategy[]
}

/**
 * Shortens the model's prompt when its context fills up. For `before`, so that it runs before each turn. The history
 * itself does not change. Fails with `context_full` if the parts that must stay are too large. A saving of less than a
 * tenth of the window waits until the window is full, since the provider's cache of the prompt is lost each time.
 */
export function compact(options: CompactOptions): Step {
  checkOptions('compact()', options, ['contextWindow', 'ratio', 'target', 'keep', 'strategies'])
  const {
    contextWindow,
    ratio = 0.8,
    target = ratio / 2,
    keep = 6,
    strategies = [cutResults(), summarize(), dropTurns()],
  } = options
  const isSize = typeof contextWindow === 'function' || contextWindow > 0
  assertOption(isSize, DEV && 'compact() needs a contextWindow: how many tokens the model takes, such as 200_000.')
  assertOption(
    ratio > 0 && ratio <= 1,
    DEV && `compact({ ratio: ${ratio} }): use a share of the window, above 0 and up to 1.`,
  )
  assertOption(
    target > 0 && target < ratio,
    DEV && `compact({ target: ${target} }): use a share above 0 and below ratio.`,
  )
  assertOption(
    strategies.length > 0 && strategies.every((strategy) => typeof strategy?.shorten === 'function'),
    DEV && 'compact() needs `strategies`, such as [summarize(), dropTurns()].',
  )

  return async (run) => {
    const { state } = run
    // Once before each turn: the turn gets the shortened history, also after a reload.
    if (!awaitsThought(state) || state.compacted?.iteration === state.iteration) return undefined
    const size = windowOf(run, contextWindow)
    const { tokens: counted, ...usage } = await measure(run)
    const error = latestTurn(state)?.error
    const overflown = error !== undefined && isOverflow(error)
    if (counted < ratio * size && !overflown) return undefined
    // The model knows better than any estimate.
    const tokens = overflown ? Math.max(size, counted) : counted
    const scale = (usage.scale * tokens) / counted
    const plan = {
      limit: (ratio * size) / scale,
      goal: (target * size) / scale,
      window: size / scale,
      keep,
      strategies,
    }
    await compactHistory(run, { ...usage, ...plan, scale, tokens, full: tokens >= size })
    return undefined
  }
}

function windowOf({ agent, plan }: RunContext, size: CompactOptions['contextWindow']): number {
  if (typeof size === 'number') return size
  const sizes = (plan.models ?? agent.models).map(size)
  const fit = sizes.every((tokens) => tokens > 0)
  assertOption(fit, DEV && 'The `contextWindow` of compact() returned no number above 0 for one of the models.')
  return Math.min(...sizes)
}

/** The target of a compaction. Tokens are estimates; multiplied by `scale` they are the model's. */
interface CompactionPlan extends ContextUsage {
  /** True if the model accepts no more than its current prompt. */
  readonly full: boolean
  readonly window: number
  /** The number of tokens from which on the history is too long. */
  readonly limit: number
  /** The target size. */
  readonly goal: number
  readonly keep: number
  readonly strategies: readonly CompactionStrategy[]
}

/** Shortens the history for the model, and records it in the log. */
async function compactHistory(run: RunContext, plan: CompactionPlan): Promise<void> {
  const { window, goal, scale, overhead, unexplained } = plan
  const always = overhead + unexplained + run.state.pending.reduce((sum, said) => sum + estimateEntry(said), 0)
  // A tenth of the window is for the old part, however large the rest is.
  const least = window / 10
  const segments = segmentsOf(run.state)
  const { old, recent, excess } = partsOf(segments, {
    keep: plan.keep,
    most: goal / 2,
    room: plan.limit - always - least,
  })
  // A latest turn that is too long is replaced, too.
  const [cut, kept] = excess > 0 ? [[cutLatest(recent, excess)], []] : [[], recent]
  const taken = always + tokensOf(cut) + tokensOf(kept)
  const budget = Math.max(least, goal - taken)
  const before = always + tokensOf(segments)
  // A small saving waits until it is necessary: each compaction invalidates the provider's cache of the prompt.
  if (!plan.full && before - taken - budget < least) return
  const strategies = old.every(isFixed) ? [dropTurns()] : plan.strategies
  const { segments: short, strategy } = await shorten(old, strategies, { budget, contextWindow: window, run })
  const replaced = fromUser([...short, ...cut], kept)
  const after = always + tokensOf(replaced) + tokensOf(kept)
  if (after - unexplained >= window) throw tooMuch(after * scale, window * scale)
  if (before - after < (plan.full ? 1 : least)) return
  run.learn(compactionChanges)
  run.emit({
    type: 'compacted',
    messages: messagesIn(replaced),
    keep: entriesIn(kept),
    // Without a strategy, only the results of the latest turn were cut.
    strategy: strategy || 'cutResults',
    before: Math.round(plan.tokens),
    after: Math.round(after * scale),
  })
  await run.durable()
}

/** Returns true if strategies cannot shorten it. A request alone is not summarized. */
const isFixed = ({ pinned, kind }: Segment): boolean => pinned === true || kind === 'omission'

/** Adds a user message if necessary, since providers require that the user speaks first. */
function fromUser(segments: readonly Segment[], kept: readonly Segment[]): readonly Segment[] {
  const start = segments.findIndex(({ messages: [first] }) => first && first.role !== 'system')
  const first = messagesIn(start === -1 ? kept : segments.slice(start))[0]
  if (!first || first.role === 'user') return segments
  return segments.toSpliced(start === -1 ? segments.length : start, 0, omission(0))
}

function tooMuch(tokens: number, window: number): AgentError {
  const what = 'Even after compaction, the instructions, tools and messages'
  const message = `${what} take about ${Math.round(tokens)} tokens of the ${Math.round(window)} that the model accepts.`
  return new AgentError('context_full', `${message} Say less at once, or give compact() a strategy that omits more.`)
}

/**
 * Retries a backend if the model rejected a prompt as too long: `compact()` then shortens the history regardless of its
 * estimate. A second rejection in a row fails the run.
 */
export function retryCompacted(backend: Step): Step {
  checkStep(backend, 'retryCompacted()', 'reasonAct()')
  const step = async (run: RunContext) => {
    const signal = await backend(run)
    const rejected = latestTurn(run.state)?.error
    const isRejected = signal?.type === 'failed' && signal.error.message === rejected?.message
    const again = isRejected && refused(run.state, 1) && !refused(run.state, 2)
    return again ? undefined : signal
  }
  return Object.assign(step, needsOf(backend))
}

/** Returns true if the latest turn, or the one before it, was rejected as too long. */
function refused({ history }: RunState, back: number): boolean {
  const entry = itemAt(history, lengthOf(history) - back)
  return entry?.type === 'turn' && entry.error !== undefined && isOverflow(entry.error)
}
