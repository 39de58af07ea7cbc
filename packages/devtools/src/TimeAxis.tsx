import type { CSSProperties, ReactNode } from 'react'
import type { Scale, ShownGap } from './scaleOf.ts'
import type { Tick } from './ticksOf.ts'
import { duration } from './wording.ts'

/** The background of the bars: lines at the ticks, and bands for idle time. */
export const TimeBands = ({ scale, ticks, height }: TimeAxisProps & { height: number }): ReactNode => (
  <div data-part="bands" aria-hidden="true" style={{ height }}>
    <div data-part="track">
      {scale.gaps.map((gap) => (
        <span
          key={gap.gap.start}
          data-part="gap"
          data-wait={gap.gap.isWait || undefined}
          style={{ '--from': gap.from, '--to': gap.to } as CSSProperties}
        />
      ))}
      {ticks.map(({ at }) => (
        <span key={at} data-part="line" style={{ '--from': at } as CSSProperties} />
      ))}
    </div>
  </div>
)

export interface TimeAxisProps {
  readonly scale: Scale
  readonly ticks: readonly Tick[]
}

/** The labels of the time axis and of idle periods. */
export function TimeAxis({ scale, ticks, zoom }: TimeAxisProps & { zoom: number }): ReactNode {
  const labelled = withRoom(scale, zoom)
  const last = scale.span * (1 - tickRoom / zoom)
  return (
    <div data-part="axis" aria-hidden="true">
      <div data-part="title" />
      <div data-part="track">
        {scale.gaps.map((gap) => (
          <span
            key={gap.gap.start}
            data-part="pause"
            data-late={gap.from > scale.span * (1 - gapRoom / zoom) || undefined}
            title={gapWords(gap)}
            style={{ '--from': gap.from, '--to': gap.to } as CSSProperties}
          >
            {labelled.has(gap) && duration(gap.gap.end - gap.gap.start)}
          </span>
        ))}
        {ticks
          .filter(({ at }) => at <= last)
          .map(({ at, label }) => (
            <span key={at} data-part="tick" style={{ '--from': at } as CSSProperties}>
              {label}
            </span>
          ))}
      </div>
      <div data-part="took" />
    </div>
  )
}

/** The share of a narrow chart that the label of a tick or gap takes. */
const tickRoom = 0.12
const gapRoom = 0.3

/** Returns the gaps that are long enough to label, without overlapping labels. */
function withRoom({ gaps, span }: Scale, zoom: number): ReadonlySet<ShownGap> {
  const room = (span * gapRoom) / zoom
  const told = new Set<ShownGap>()
  let free = Number.NEGATIVE_INFINITY
  for (const shown of gaps) {
    if (shown.from < free || shown.gap.end - shown.gap.start < 1_000) continue
    told.add(shown)
    free = shown.from + room
  }
  return told
}

const gapWords = ({ gap }: ShownGap): string =>
  `${gap.isWait ? 'Waited for a person' : 'Rested'}: ${duration(gap.end - gap.start)}, shown shorter`
