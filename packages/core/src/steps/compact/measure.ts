import { cached } from '../../json.ts'
import { toMessages } from '../../message.ts'
import type { RunContext } from '../../run.ts'
import { type Entry, itemAt, lengthOf, type Pages, type RunState, type Turn } from '../../state.ts'
import { instructionsOf } from '../instructions.ts'
import { toolDefinitions } from '../toolDefinitions.ts'
import { estimateMessages, estimateText } from './tokens.ts'

const ofEntries = new WeakMap<Entry, number>()
const ofPages = new WeakMap<readonly Entry[], number>()

/** Estimates the tokens of an entry in the prompt. */
export const estimateEntry = (entry: Entry): number =>
  cached(ofEntries, entry, () => estimateMessages(toMessages(entry)))

/** Estimates the tokens of the entries from one position to before another. Full pages are counted once. */
function estimateEntries(history: Pages<Entry>, from: number, to: number): number {
  let sum = 0
  let start = 0
  for (const page of history) {
    const end = start + page.length
    if (from <= start && end <= to)
      sum += cached(ofPages, page, () => page.reduce((n, entry) => n + estimateEntry(entry), 0))
    else for (let i = Math.max(from, start); i < Math.min(to, end); i++) sum += estimateEntry(page[i - start] as Entry)
    start = end
  }
  return sum
}

export interface ContextUsage {
  /** The tokens of the next prompt: the provider's own count, where there is one. */
  readonly tokens: number
  /** The model's tokens per estimated token. */
  readonly scale: number
  /** Estimated tokens of the instructions and the tools. */
  readonly overhead: number
  /** The provider's additional tokens, such as for its own tools. Estimated. */
  readonly unexplained: number
}

/** Returns the tokens of the next prompt: the provider's count of the latest turn, and an estimate since. */
export async function measure(run: RunContext): Promise<ContextUsage> {
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
  // A provider that counts less than that leaves out a part, such as what it has read from its cache.
  const counted = Math.max(inputTokens, leastScale * prompt)
  const scale = Math.min(1.5, counted / Math.max(1, prompt))
  const since = estimateResults(turn) + estimateEntries(state.history, index + 1, end) + pending
  const unexplained = Math.max(0, counted / scale - prompt)
  return { tokens: counted + outputTokens + scale * since, scale, overhead, unexplained }
}

/** The least tokens of a model per estimated token. */
const leastScale = 0.6

const ofTools = new WeakMap<object, number>()

async function estimateTools({ agent }: RunContext): Promise<number> {
  const definitions = await toolDefinitions(agent)
  return cached(ofTools, agent.tools, () => (definitions.length > 0 ? estimateText(JSON.stringify(definitions)) : 0))
}

/** Returns the latest complete turn if its provider counted, and if its prompt is a prefix of the current one. */
function lastCounted({ history, compacted }: RunState): { turn: Turn; index: number } | undefined {
  const from = compacted?.from ?? 0
  for (let index = lengthOf(history) - 1; index >= from; index--) {
    const entry = itemAt(history, index)
    if (entry?.type !== 'turn' || entry.error) continue
    const isEstimated = entry.providerMetadata?.interleave?.estimatedUsage === true
    const counts = !isEstimated && entry.usage.inputTokens > 0 && entry.iteration > (compacted?.iteration ?? 0)
    return counts ? { turn: entry, index } : undefined
  }
  return undefined
}

/** Estimates the results of a turn's calls. The provider has counted the model's own output. */
const estimateResults = (turn: Turn): number => estimateMessages(toMessages(turn).filter(({ role }) => role === 'tool'))
