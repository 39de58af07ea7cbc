import { nextFrame, useDrawEffect } from '@interleave/react/internal'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useReducer } from 'react'
import type { Timeline } from './timelineOf.ts'
import type { Scale, ShownGap, Tick } from './timeScale.ts'
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

interface TimeAxisProps {
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
  `${gap.isWait ? 'Waited for a user' : 'Paused'}: ${duration(gap.end - gap.start)}, shown shorter`

/** After this long without an event, a run no longer counts as running. */
const staleAfterMs = 15 * 60_000

/**
 * Lets what has not ended grow, by custom properties of an element: nothing is rendered for it. `--now` is where time has come
 * to, `--span` how long the whole is. Gives where time is at this rendering; there is a new one each second.
 */
export function useGrowth(
  element: RefObject<HTMLElement | null>,
  { timeline, scale }: { readonly timeline: Timeline; readonly scale: Scale },
): number {
  const { end, isWorking } = timeline
  const grows = isWorking && Date.now() - end < staleAfterMs
  const now = (): number => (grows ? Math.max(end, Date.now()) : end)
  const room = timeline.rows.some((row) => row.end === undefined) && !isWorking ? 1.06 : 1

  useDrawEffect(() => {
    const draw = (): void => {
      const at = scale.shown(now())
      const span = Math.max(scale.span, at) * room
      element.current?.style.setProperty('--now', `${room > 1 ? span : at}`)
      element.current?.style.setProperty('--span', `${span}`)
    }
    draw()
    if (!grows) return
    const frame = isCalm() ? eachSecond : nextFrame
    let cancel = frame(function again() {
      draw()
      cancel = frame(again)
    })
    return () => cancel()
  })

  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (!grows) return
    const timer = setInterval(renderAgain, 1_000)
    return () => clearInterval(timer)
  }, [grows])
  return now()
}

const isCalm = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches

const eachSecond = (callback: () => void): (() => void) => {
  const timer = setTimeout(callback, 1_000)
  return () => clearTimeout(timer)
}
