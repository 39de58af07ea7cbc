import { checkOptions } from '#checks'
import { resultText } from '../../part.ts'
import type { CompactionStrategy } from './pipeline.ts'
import { messagesIn, type Segment, toSegment, withMessages } from './segment.ts'
import { cutText } from './text.ts'
import { estimateMessages, estimateText, type Message, type ResultPart } from './tokens.ts'

export interface CutResultsOptions {
  /** Tools whose results stay. */
  except?: readonly string[]
  /** The maximum tokens of each result; 50 by default. */
  upTo?: number
}

/** Cuts each long result in its middle. Calls, and results of tools that the provider runs, stay. */
export function cutResults(options: CutResultsOptions = {}): CompactionStrategy {
  checkOptions('cutResults()', options, ['except', 'upTo'])
  const { except = [], upTo = 50 } = options
  // Files count, too: they are replaced with their names.
  const sizeOf = (part: ResultPart): number =>
    except.includes(part.toolName) ? 0 : estimateMessages([{ role: 'tool', content: [part] }])
  return {
    name: 'cutResults',
    shorten: (segments) =>
      segments.map((segment) => {
        const cut = withMessages(segment, cutOutputs(segment.messages, upTo, sizeOf))
        return cut.tokens < segment.tokens ? { ...cut, uncut: segment.uncut ?? segment.messages } : segment
      }),
  }
}

/** Shortens the results of the latest turn by this number of tokens: the longest are cut to the same length. */
export function cutLatest(segments: readonly Segment[], excess: number): Segment {
  const messages = messagesIn(segments)
  const sizeOf = ({ output }: ResultPart): number => estimateText(resultText(output))
  const sizes = messages.flatMap((message) =>
    message.role === 'tool' ? message.content.map((part) => (part.type === 'tool-result' ? sizeOf(part) : 0)) : [],
  )
  return toSegment(cutOutputs(messages, capFor(sizes, excess), sizeOf))
}

/** Returns the messages with each longer result cut to this number of tokens. It still says if the call failed. */
const cutOutputs = (
  messages: readonly Message[],
  most: number,
  sizeOf: (part: ResultPart) => number,
): readonly Message[] =>
  messages.map((message) => {
    if (message.role !== 'tool') return message
    const cut = (part: (typeof message.content)[number]): typeof part => {
      if (part.type !== 'tool-result' || sizeOf(part) <= most) return part
      const { output } = part
      const type = output.type === 'error-text' || output.type === 'error-json' ? 'error-text' : 'text'
      return { ...part, output: { type, value: cutText(resultText(output), most) } }
    }
    return { ...message, content: message.content.map(cut) }
  })

/** Returns the length to which results are cut, so that together they lose this number of tokens. */
function capFor(tokens: readonly number[], excess: number): number {
  const sizes = tokens.toSorted((a, b) => b - a)
  let above = 0
  for (const [index, size] of sizes.entries()) {
    above += size
    const cap = Math.floor((above - excess) / (index + 1))
    if (cap >= (sizes[index + 1] ?? 0)) return Math.max(shortest, cap)
  }
  return shortest
}
const shortest = 200
