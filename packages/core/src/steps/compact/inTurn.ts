import { reportLater } from '../../error.ts'
import { isJournalError } from '../../journalError.ts'
import { demand } from '../../options.ts'
import type { RunContext } from '../../run.ts'
import { addUsage, noUsage, type Usage } from '../../usage.ts'
import { estimateMessages } from './estimate.ts'
import type { CompactionStrategy, OldPart, Shortened } from './strategy.ts'

/**
 * Tries one strategy after another, each on the same old part, until one makes it fit; if none does, the shortest is taken.
 * One that fails, such as a summary without a model, is reported and passed over, unless it is the last.
 */
export function inTurn(...strategies: readonly CompactionStrategy[]): CompactionStrategy {
  demand(strategies.length > 0, 'inTurn() needs strategies to try, such as dropObservations() and dropTurns().')
  return {
    name: strategies.map(({ name }) => name).join(', '),
    async shorten(old, run) {
      const tried: Tried[] = []
      let failure: Failed | undefined
      for (const strategy of strategies) {
        try {
          const made = await attempt(strategy, old, run)
          tried.push(made)
          if (made.tokens <= old.budget) break
        } catch (error) {
          if (endsRun(error, run)) throw error
          if (failure) reportLater(failure.error)
          failure = { error }
        }
      }
      return bestOf(tried, failure)
    },
  }
}

interface Tried extends Shortened {
  readonly tokens: number
}

async function attempt(strategy: CompactionStrategy, old: OldPart, run: RunContext): Promise<Tried> {
  const made = await strategy.shorten(old, run)
  return { strategy: strategy.name, ...made, tokens: estimateMessages(made.messages) }
}

/** Boxed, since anything may be thrown, also nothing. */
interface Failed {
  readonly error: unknown
}

function bestOf(tried: readonly Tried[], failure: Failed | undefined): Shortened {
  const [first, ...others] = tried
  if (!first) throw failure?.error
  if (failure) reportLater(failure.error)
  const { messages, strategy } = others.reduce((best, next) => (next.tokens < best.tokens ? next : best), first)
  const usage = tried.reduce<Usage>((sum, made) => (made.usage ? addUsage(sum, made.usage) : sum), noUsage)
  return { messages, ...(strategy && { strategy }), ...(usage !== noUsage && { usage }) }
}

const endsRun = (error: unknown, { abortSignal }: RunContext): boolean => abortSignal.aborted || isJournalError(error)
