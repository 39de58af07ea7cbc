import type { LanguageModelV4 } from '@ai-sdk/provider'
import { demand } from '../../demand.ts'
import { awaitsThought, latestTurn } from '../../openCalls.ts'
import type { RunContext, Step } from '../../run.ts'
import { dropObservations } from './dropObservations.ts'
import { dropTurns } from './dropTurns.ts'
import { inTurn } from './inTurn.ts'
import { measure } from './measure.ts'
import { isOverflow } from './overflow.ts'
import { shrink } from './shrink.ts'
import type { CompactionStrategy } from './strategy.ts'
import { summarise } from './summarise.ts'

export interface CompactOptions {
  /** The model's token limit, input and output together. With several possible models the smallest counts. */
  contextWindow: number | ((model: LanguageModelV4) => number)
  /** The share of the window at which the history is made shorter; 0.8 by default. The rest is left for the answer. */
  ratio?: number
  /** The share of the window to which it is made shorter; half of `ratio` by default, so that it does not happen often. */
  target?: number
  /** The latest entries that stay as they are, as far as there is room for them; 6 by default. The latest turn always stays. */
  keep?: number
  /** By default results go first; where that is not enough a summary is written, and where that fails old turns go. */
  strategy?: CompactionStrategy
}

/**
 * Shortens the model's prompt when its context fills up. For `before`, so that it runs before each turn. The history
 * itself does not change. Fails with `context_full` if the parts that must stay are too large.
 */
export function compact({
  contextWindow,
  ratio = 0.8,
  target = ratio / 2,
  keep = 6,
  strategy = inTurn(dropObservations(), summarise(), dropTurns()),
}: CompactOptions): Step {
  const isSize = typeof contextWindow === 'function' || contextWindow > 0
  demand(isSize, 'compact() needs a contextWindow: how many tokens the model takes, such as 200_000.')
  demand(ratio > 0 && ratio <= 1, `compact({ ratio: ${ratio} }): use a share of the window, above 0 and up to 1.`)
  demand(target > 0 && target < ratio, `compact({ target: ${target} }): use a share above 0 and below ratio.`)
  demand(keep >= 0, `compact({ keep: ${keep} }): use 0 or more.`)
  demand(typeof strategy?.shorten === 'function', 'compact() needs a strategy, such as dropTurns() or summarise().')

  return async (run) => {
    const { state } = run
    // Once before each turn: what it made shorter is what the turn is given, also after a reload.
    if (!awaitsThought(state) || state.compacted?.iteration === state.iteration) return undefined
    const size = windowOf(run, contextWindow)
    const { tokens: counted, ...fullness } = await measure(run)
    const error = latestTurn(state)?.error
    const overflown = error !== undefined && isOverflow(error)
    if (counted < ratio * size && !overflown) return undefined
    // The model knows better than any estimate.
    const tokens = overflown ? Math.max(size, counted) : counted
    const scale = (fullness.scale * tokens) / counted
    const plan = { limit: (ratio * size) / scale, goal: (target * size) / scale, window: size / scale, keep, strategy }
    await shrink(run, { ...fullness, ...plan, scale, tokens, full: tokens >= size })
    return undefined
  }
}

function windowOf({ agent, plan }: RunContext, size: CompactOptions['contextWindow']): number {
  if (typeof size === 'number') return size
  const sizes = (plan.models ?? agent.models).map(size)
  const fit = sizes.every((tokens) => tokens > 0)
  demand(fit, 'The contextWindow of compact() gave no number above 0 for one of the models.')
  return Math.min(...sizes)
}
