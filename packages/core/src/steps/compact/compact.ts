import type { LanguageModelV4 } from '@ai-sdk/provider'
import { AgentError, reportLater } from '../../error.ts'
import { isJournalFault } from '../../journal.ts'
import { assertOption, checkStep, type KnownOptions, refuseUnknown } from '../../options.ts'
import { plainMessages } from '../../part.ts'
import type { RunContext, Step } from '../../run.ts'
import { awaitsThought, itemAt, latestTurn, lengthOf, type RunState } from '../../state.ts'
import { needsOf } from '../../step.ts'
import { addUsage, noUsage, type Usage } from '../../usage.ts'
import { isOverflow } from '../retry.ts'
import { dropObservations, dropTurns } from './drop.ts'
import { type ContextUsage, estimateEntry, estimateMessages, type Message, measure } from './estimate.ts'
import {
  type CompactionStrategy,
  type OldPart,
  omissionMessage,
  partsOf,
  type Segment,
  type Shortened,
  segmentsOf,
  tokensOf,
} from './strategy.ts'
import { summarise } from './summarise.ts'

export interface CompactOptions {
  /** The model's token limit, input and output together. With several possible models the smallest counts. */
  contextWindow: number | ((model: LanguageModelV4) => number)
  /** The share of the window at which the history is shortened; 0.8 by default. The rest is left for the answer. */
  ratio?: number
  /** The share of the window to which it is shortened; half of `ratio` by default, so that it does not happen often. */
  target?: number
  /** The number of latest entries that stay unchanged if there is room; 6 by default. The latest turn always stays. */
  keep?: number
  /** By default results go first; if that is not enough a summary is written, and if that fails old turns go. */
  strategy?: CompactionStrategy
}

const compactOptions: KnownOptions<CompactOptions> = {
  contextWindow: 'a number (0 or more) or a function',
  ratio: 'a number (0 or more)',
  target: 'a number (0 or more)',
  keep: 'a number (0 or more)',
  strategy: true,
}

/**
 * Shortens the model's prompt when its context fills up. For `before`, so that it runs before each turn. The history
 * itself does not change. Fails with `context_full` if the parts that must stay are too large. A saving of less than a
 * tenth of the window waits until the window is full, since the provider's cache of the prompt is lost each time.
 */
export function compact(options: CompactOptions): Step {
  refuseUnknown('compact()', options, compactOptions)
  const {
    contextWindow,
    ratio = 0.8,
    target = ratio / 2,
    keep = 6,
    strategy = inTurn(dropObservations(), summarise(), dropTurns()),
  } = options
  const isSize = typeof contextWindow === 'function' || contextWindow > 0
  assertOption(isSize, 'compact() needs a contextWindow: how many tokens the model takes, such as 200_000.')
  assertOption(ratio > 0 && ratio <= 1, `compact({ ratio: ${ratio} }): use a share of the window, above 0 and up to 1.`)
  assertOption(target > 0 && target < ratio, `compact({ target: ${target} }): use a share above 0 and below ratio.`)
  assertOption(
    typeof strategy?.shorten === 'function',
    'compact() needs a strategy, such as dropTurns() or summarise().',
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
    const plan = { limit: (ratio * size) / scale, goal: (target * size) / scale, window: size / scale, keep, strategy }
    await compactHistory(run, { ...usage, ...plan, scale, tokens, full: tokens >= size })
    return undefined
  }
}

function windowOf({ agent, plan }: RunContext, size: CompactOptions['contextWindow']): number {
  if (typeof size === 'number') return size
  const sizes = (plan.models ?? agent.models).map(size)
  const fit = sizes.every((tokens) => tokens > 0)
  assertOption(fit, 'The `contextWindow` of compact() returned no number above 0 for one of the models.')
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
  readonly strategy: CompactionStrategy
}

/** Shortens the history for the model, and records it in the log. */
async function compactHistory(run: RunContext, plan: CompactionPlan): Promise<void> {
  const { state } = run
  const { window, goal, scale, overhead, unexplained } = plan
  const always = overhead + unexplained + state.pending.reduce((sum, said) => sum + estimateEntry(said), 0)
  // A tenth of the window is for the old part, however large the rest is.
  const least = window / 10
  const segments = segmentsOf(state)
  const parts = partsOf(state, { segments, keep: plan.keep, most: goal / 2, room: plan.limit - always - least })
  const taken = always + tokensOf(parts.recent) + estimateMessages(parts.cut)
  const old = { ...parts.old, budget: Math.max(least, goal - taken), contextWindow: window }
  const strategy = old.segments.some((segment) => isLoose(segment, old)) ? plan.strategy : dropTurns()
  const short: Shortened = old.segments.length > 0 ? await shorten(strategy, old, run) : { messages: [] }
  const messages = fromUser([...short.messages, ...parts.cut], parts.recent)
  const after = always + tokensOf(parts.recent) + estimateMessages(messages)
  if (after - unexplained >= window) throw tooMuch(after * scale, window * scale)
  // A small saving waits until it is necessary: each compaction invalidates the provider's cache of the prompt.
  const saved = always + tokensOf(segments) - after
  if (saved < least && !plan.full && !short.usage) return
  run.emit({
    type: 'compacted',
    messages,
    keep: parts.recent.reduce((sum, { entries }) => sum + entries, 0),
    strategy: short.strategy ?? strategy.name,
    before: Math.round(plan.tokens),
    after: Math.round(after * scale),
    ...(short.usage && { usage: short.usage }),
  })
  await run.durable()
}

/** Returns a strategy's result for the old part. Throws if it is not a conversation. */
async function shorten(strategy: CompactionStrategy, old: OldPart, run: RunContext): Promise<Shortened> {
  const made: Partial<Shortened> = (await strategy.shorten(old, run)) ?? {}
  const { messages, usage, strategy: by } = made
  const owner = `The result of the compaction strategy "${strategy.name}"`
  const wrong = usage && Object.keys(noUsage).find((count) => !(usage[count as keyof Usage] >= 0))
  assertOption(wrong === undefined, `${owner} has a wrong or missing "usage.${wrong}".`)
  return {
    messages: plainMessages(messages as Shortened['messages'], owner),
    ...(usage && { usage }),
    ...(by && { strategy: String(by) }),
  }
}

/** Returns true if a strategy could shorten it. A request alone is not summarized. */
const isLoose = (segment: Segment, { requests }: Pick<OldPart, 'requests'>): boolean =>
  !requests.has(segment) && (segment.kind === 'turn' || segment.kind === 'request' || segment.kind === 'reminder')

/** Adds a user message if necessary, since providers require that the user speaks first. */
function fromUser(messages: readonly Message[], recent: readonly Segment[]): Message[] {
  const start = messages.findIndex(({ role }) => role !== 'system')
  const first = messages[start] ?? recent.flatMap((segment) => segment.messages)[0]
  if (!first || first.role === 'user') return [...messages]
  const at = start === -1 ? messages.length : start
  return messages.toSpliced(at, 0, omissionMessage({ turns: 0, messages: 0 }))
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

/**
 * Tries one strategy after another, each on the same old part, until one makes it fit; if none does, the shortest
 * result counts. A strategy that fails, such as a summary without a model, is reported and skipped, unless it is the
 * last.
 */
export function inTurn(...strategies: readonly CompactionStrategy[]): CompactionStrategy {
  const areAll = strategies.every((strategy) => typeof strategy?.shorten === 'function')
  assertOption(
    strategies.length > 0 && areAll,
    'inTurn() needs strategies to try, such as dropObservations() and dropTurns().',
  )
  return {
    name: strategies.map(({ name }) => name).join(', '),
    async shorten(old, run) {
      const tried: Tried[] = []
      // Boxed, because the reason may be anything, also undefined.
      let failure: { readonly error: unknown } | undefined
      for (const strategy of strategies) {
        try {
          const made = await shorten(strategy, old, run)
          const tokens = estimateMessages(made.messages)
          tried.push({ strategy: strategy.name, ...made, tokens })
          if (tokens <= old.budget) break
        } catch (error) {
          if (run.abortSignal.aborted || isJournalFault(error)) throw error
          if (failure) reportLater(failure.error)
          failure = { error }
        }
      }
      const [first, ...others] = tried
      if (!first) throw failure?.error
      if (failure) reportLater(failure.error)
      return bestOf([first, ...others])
    },
  }
}

type Tried = Shortened & { readonly tokens: number }

/** Returns the shortest result, with the usage of all. */
function bestOf([first, ...others]: readonly [Tried, ...Tried[]]): Shortened {
  const { messages, strategy } = others.reduce((best, next) => (next.tokens < best.tokens ? next : best), first)
  const usage = [first, ...others].reduce<Usage>((sum, made) => (made.usage ? addUsage(sum, made.usage) : sum), noUsage)
  return { messages, ...(strategy && { strategy }), ...(usage !== noUsage && { usage }) }
}
