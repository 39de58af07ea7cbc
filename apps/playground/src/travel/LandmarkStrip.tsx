import type { Event } from '@interleave/core'
import { memo } from 'react'
import { type LandmarkKind, marked } from './landmarks.ts'

/** More of them could not be told apart. */
const places = 300
/** Where many fall on one place, what is looked for most is drawn. */
const ranks: readonly LandmarkKind[] = ['call', 'turn', 'rest', 'message', 'ask']

/** Where in a log the turns, calls, questions and rests are. Told apart by height and shape, not by colour alone. */
export const LandmarkStrip = memo(function LandmarkStrip({ events }: { events: readonly Event[] }) {
  const last = Math.max(1, events.length - 1)
  const drawn = new Map<number, LandmarkKind>()
  const { landmarks, stride } = marked(events)
  for (const { seq, kind } of landmarks) {
    const place = Math.round((places * seq) / last)
    const before = drawn.get(place)
    if (!before || ranks.indexOf(kind) > ranks.indexOf(before)) drawn.set(place, kind)
  }
  return (
    <div className="landmarks" aria-hidden title={stride > 1 ? `A line every ${stride} turns` : undefined}>
      {[...drawn].map(([place, kind]) => (
        <span key={place} data-kind={kind} style={{ left: `${(100 * place) / places}%` }} />
      ))}
    </div>
  )
})
