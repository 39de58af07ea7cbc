import { type KnownOptions, refuseUnknown } from '../../options.ts'
import { estimateMessages, type ResultPart } from './estimate.ts'
import { type CompactionStrategy, noteTokens, omit, pinRequests, type Segment } from './strategy.ts'
import { asText, markOf, transcript, withOutputs } from './text.ts'

/** Omits the oldest turns and messages, and says how many. The user's request and earlier summaries stay. */
export const dropTurns = (): CompactionStrategy => ({
  name: 'dropTurns',
  shorten(old) {
    const { segments, pinned, room } = pinRequests(old)
    const kept = new Set<Segment>(pinned)
    let left = room
    for (const segment of segments.toReversed()) {
      if (pinned.has(segment)) continue
      left -= segment.tokens
      if (left < 0) break
      kept.add(segment)
    }
    return { messages: omit(segments, (segment) => kept.has(segment)) }
  },
})

export interface DropObservationsOptions {
  /** Tools whose results stay. */
  except?: readonly string[]
  /** Results up to this number of tokens stay; 50 by default. */
  upTo?: number
}

/** Replaces each old result with a short marker. Calls, and results of tools that the provider runs, stay. */
export function dropObservations(options: DropObservationsOptions = {}): CompactionStrategy {
  refuseUnknown('dropObservations()', options, {
    except: 'a list',
    upTo: 'a number (0 or more)',
  } satisfies KnownOptions<DropObservationsOptions>)
  const { except = [], upTo = 50 } = options
  const drop = (part: ResultPart): ResultPart['output'] => {
    if (except.includes(part.toolName)) return part.output
    const tokens = estimateMessages([{ role: 'tool', content: [part] }])
    return tokens > upTo ? asText(part.output, `[Left out: a result of about ${tokens} tokens.]`) : part.output
  }
  return {
    name: 'dropObservations',
    shorten: ({ segments }) => ({
      messages: withOutputs(
        segments.flatMap(({ messages }) => messages),
        drop,
      ),
    }),
  }
}

/**
 * Keeps the most important messages unchanged and omits the others. User messages count most; then failures, questions
 * to users, words of the current request, and recent messages. Calls no model.
 */
export const keepImportant = (): CompactionStrategy => ({
  name: 'keepImportant',
  shorten(old) {
    const { segments, pinned, room } = pinRequests(old)
    const words = wordsOf(old.request)
    const scored = segments
      .filter((segment) => !pinned.has(segment) && segment.kind !== 'omission')
      .map((segment, index, { length }) => ({ segment, score: scoreOf(segment, words) + (index + 1) / length }))
      .sort((a, b) => b.score - a.score)
    const kept = new Set<Segment>(pinned)
    let left = room
    for (const { segment } of scored) {
      // Each segment that stays alone may cost a note about the gap before it.
      if (left < segment.tokens + noteTokens) continue
      left -= segment.tokens + noteTokens
      kept.add(segment)
    }
    return { messages: omit(segments, (segment) => kept.has(segment)) }
  },
})

/** Returns a score from 0 to 8; how recent it is adds up to 1. */
function scoreOf(segment: Segment, words: ReadonlySet<string>): number {
  const said = segment.kind === 'request' ? 3 : 0
  const failed = segment.messages.some(hasFailed) ? 1.5 : 0
  const asked = segment.messages.some((message) => markOf(message)?.kind === 'asked') ? 1.5 : 0
  return said + failed + asked + 2 * overlap(segment, words)
}

const hasFailed = (message: Segment['messages'][number]): boolean =>
  message.role === 'tool' &&
  message.content.some((part) => part.type === 'tool-result' && /^error|denied$/.test(part.output.type))

/** Returns the share of the request's words that occur in it. */
function overlap(segment: Segment, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0
  const own = wordsOf(transcript([segment], Number.POSITIVE_INFINITY))
  return [...words].filter((word) => own.has(word)).length / words.size
}

/** Returns the words of four letters and more, or any of a script without letter case: shorter ones say little. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length > 3 || /\p{Lo}/u.test(word)),
  )
