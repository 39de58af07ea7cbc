import { framed, leaveOut } from './leaveOut.ts'
import type { Piece } from './piece.ts'
import type { CompactionStrategy } from './strategy.ts'

/** Leaves out the oldest turns and messages, and says how many. The user's request and earlier summaries stay. */
export const dropTurns = (): CompactionStrategy => ({
  name: 'dropTurns',
  shorten(old) {
    const { pieces, fixed, room } = framed(old)
    const kept = new Set<Piece>(fixed)
    let left = room
    for (const piece of pieces.toReversed()) {
      if (fixed.has(piece)) continue
      left -= piece.tokens
      if (left < 0) break
      kept.add(piece)
    }
    return { messages: leaveOut(pieces, (piece) => kept.has(piece)) }
  },
})
