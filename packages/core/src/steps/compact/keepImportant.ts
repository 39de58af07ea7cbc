import { framed, leaveOut, noteTokens } from './leaveOut.ts'
import { markOf } from './marks.ts'
import type { Piece } from './piece.ts'
import type { CompactionStrategy } from './strategy.ts'
import { transcript } from './transcript.ts'

/**
 * Keeps the most important messages unchanged and omits the others. User messages count most; then failures, questions
 * to users, words of the current request, and recent messages. Calls no model.
 */
export const keepImportant = (): CompactionStrategy => ({
  name: 'keepImportant',
  shorten(old) {
    const { pieces, fixed, room } = framed(old)
    const words = wordsOf(old.request)
    const scored = pieces
      .filter((piece) => !fixed.has(piece) && piece.kind !== 'omission')
      .map((piece, index, { length }) => ({ piece, score: scoreOf(piece, words) + (index + 1) / length }))
      .sort((a, b) => b.score - a.score)
    const kept = new Set<Piece>(fixed)
    let left = room
    for (const { piece } of scored) {
      // Each piece that is kept by itself may cost a note about the gap before it.
      if (left < piece.tokens + noteTokens) continue
      left -= piece.tokens + noteTokens
      kept.add(piece)
    }
    return { messages: leaveOut(pieces, (piece) => kept.has(piece)) }
  },
})

/** From 0 to 8; how recent it is adds up to 1. */
function scoreOf(piece: Piece, words: ReadonlySet<string>): number {
  const said = piece.kind === 'request' ? 3 : 0
  const failed = piece.messages.some(hasFailed) ? 1.5 : 0
  const asked = piece.messages.some((message) => markOf(message)?.kind === 'asked') ? 1.5 : 0
  return said + failed + asked + 2 * overlap(piece, words)
}

const hasFailed = (message: Piece['messages'][number]): boolean =>
  message.role === 'tool' &&
  message.content.some((part) => part.type === 'tool-result' && /^error|denied$/.test(part.output.type))

/** Returns the share of the request's words that occur in it. */
function overlap(piece: Piece, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0
  const own = wordsOf(transcript([piece], Number.POSITIVE_INFINITY))
  return [...words].filter((word) => own.has(word)).length / words.size
}

/** Words of four letters and more, or any of a script that has no letters of case: shorter ones tell little. */
const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(
    (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => word.length > 3 || /\p{Lo}/u.test(word)),
  )
