import { cached } from '../../cached.ts'
import type { Turn } from '../../entry.ts'
import { toMessages } from '../../message.ts'
import { itemAt, lengthOf } from '../../pages.ts'
import type { RunContext } from '../../run.ts'
import type { RunState } from '../../state.ts'
import { instructionsOf } from '../think.ts'
import { toolDefinitions } from '../toolDefinitions.ts'
import { estimateEntries, estimateEntry, estimateMessages, estimateText } from './estimate.ts'

/** The context usage. */
export interface Fullness {
  /** Tokens that the model is about to be given: the provider's own count, as far as it goes. */
  readonly tokens: number
  /** Tokens of the model for each that is estimated. */
  readonly scale: number
  /** Estimated tokens of the instructions and the tools. */
  readonly overhead: number
  /** The provider's additional tokens, such as for its own tools. Estimated. */
  readonly unexplained: number
}

/**
 * Tokens of the next prompt: what the provider counted at the latest turn, and an estimate of what came since, scaled by how
 * that turn's own prompt was misjudged. Without a count everything is an estimate.
 */
export async function measure(run: RunContext): Promise<Fullness> {
  const { state } = run
  const overhead = estimateText(instructionsOf(run) ?? '') + (await estimateTools(run))
  const from = state.compacted?.from ?? 0
  const end = lengthOf(state.history)
  const pending = state.pending.reduce((sum, said) => sum + estimateEntry(said), 0)
  const summary = estimateMessages(state.compacted?.messages ?? [])
  const last = lastCounted(state)
  if (!last) {
    const tokens = overhead + summary + estimateEntries(state.history, from, end) + pending
    return { tokens, scale: 1, overhead, unexplained: 0 }
  }
  const { turn, index } = last
  const prompt = overhead + summary + estimateEntries(state.history, from, index)
  const { inputTokens, outputTokens } = turn.usage
  const scale = Math.min(1.5, Math.max(0.6, inputTokens / Math.max(1, prompt)))
  const since = estimateResults(turn) + estimateEntries(state.history, index + 1, end) + pending
  const unexplained = Math.max(0, inputTokens / scale - prompt)
  return { tokens: inputTokens + outputTokens + scale * since, scale, overhead, unexplained }
}

const ofTools = new WeakMap<object, number>()

async function estimateTools({ agent }: RunContext): Promise<number> {
  const definitions = await toolDefinitions(agent)
  return cached(ofTools, agent.tools, () => (definitions.length > 0 ? estimateText(JSON.stringify(definitions)) : 0))
}

interface Counted {
  readonly turn: Turn
  readonly index: number
}

/** The latest whole turn, if its provider counted, and if it was given what the model is given now. */
function lastCounted({ history, compacted }: RunState): Counted | undefined {
  const from = compacted?.from ?? 0
  for (let index = lengthOf(history) - 1; index >= from; index--) {
    const entry = itemAt(history, index)
    if (entry?.type !== 'turn' || entry.error) continue
    const counts = entry.usage.inputTokens > 0 && entry.iteration > (compacted?.iteration ?? 0)
    return counts ? { turn: entry, index } : undefined
  }
  return undefined
}

/** Estimates the results of a turn's calls. The provider has counted the model's own output. */
const estimateResults = (turn: Turn): number => estimateMessages(toMessages(turn).filter(({ role }) => role === 'tool'))
