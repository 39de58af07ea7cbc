import { reportLater } from '../../error.ts'
import { isJournalFault } from '../../journal.ts'
import { assertOption } from '../../options.ts'
import { plainMessages } from '../../part.ts'
import type { RunContext } from '../../run.ts'
import { type Segment, tokensOf, withMessages } from './segment.ts'

/** Shortens the old part of a conversation. Providers must accept the result: whole segments, in order. */
export interface CompactionStrategy {
  readonly name: string
  shorten(segments: readonly Segment[], context: CompactionContext): Shorter | PromiseLike<Shorter>
}

/** The segments that the model shall receive. New ones need no count of tokens. */
type Shorter = readonly (Pick<Segment, 'kind' | 'messages'> & Partial<Segment>)[]

/** The target of a strategy. All token counts are estimates. */
export interface CompactionContext {
  /** The maximum tokens of the result. */
  readonly budget: number
  /** The model's token limit. */
  readonly contextWindow: number
  readonly run: RunContext
}

export interface Shortened {
  readonly segments: readonly Segment[]
  /** The names of the strategies that made it. */
  readonly strategy: string
}

/**
 * Applies one strategy after another until the result fits. A strategy that saves nothing is ignored. One that fails,
 * such as a summary without a model, is reported and skipped, unless all fail.
 */
export async function shorten(
  segments: readonly Segment[],
  strategies: readonly CompactionStrategy[],
  context: CompactionContext,
): Promise<Shortened> {
  let shortest = segments
  const made: string[] = []
  const failures: unknown[] = []
  for (const strategy of strategies) {
    if (tokensOf(shortest) <= context.budget) break
    try {
      const result = conversation(await strategy.shorten(shortest, context), strategy)
      if (tokensOf(result) >= tokensOf(shortest)) continue
      shortest = result
      made.push(strategy.name)
    } catch (error) {
      if (context.run.abortSignal.aborted || isJournalFault(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0 && failures.length === strategies.length) throw failures.pop()
  failures.forEach(reportLater)
  return { segments: shortest, strategy: made.join(', ') }
}

/** Returns a strategy's result. Throws if it is not a conversation. */
function conversation(result: Shorter, { name }: CompactionStrategy): readonly Segment[] {
  const owner = `The result of the compaction strategy "${name}"`
  const areSegments = Array.isArray(result) && result.every((each) => Array.isArray(Object(each).messages))
  assertOption(
    areSegments,
    `${owner} is not a list of segments. Return those that it receives, or others such as { kind: "summary", messages }.`,
  )
  return result.map((segment) => withMessages({ entries: 0, ...segment }, plainMessages(segment.messages, owner)))
}
