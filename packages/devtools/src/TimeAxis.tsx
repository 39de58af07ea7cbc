import { nextFrame, useDrawEffect } from '@interleave/react/internal'
import { type CSSProperties, type ReactNode, type RefObject, useEffect, useReducer } from 'react'
import type { Timeline } from './timelineOf.ts'
import type { Scale, ShownGap, Tick } from './timeScale.ts'
import { duration } from './wording.ts'

export interface TimeAxisProps {
  readonly scale: Scale
  readonly ticks: readonly Tick[]
}

/** Positions an element by its times on the scale. */
export const at = (from: number, to?: number): CSSProperties =>
  ({ '--from': from, ...(to !== undefined && { '--to': to }) }) as CSSProperties

/** Draws the background of the bars: lines at the ticks, and bands for idle time. */
export const TimeBands = ({ scale, ticks, height }: TimeAxisProps & { readonly height: number }): ReactNode => (
  <div data-part="bands" aria-hidden="true" style={{ height }}>
    <div data-part="track">
      {scale.gaps.map(({ gap, from, to }) => (
        <span key={gap.start} data-part="gap" data-wait={gap.isWait || undefined} style={at(from, to)} />
      ))}
      {ticks.map((tick) => (
        <span key={tick.at} data-part="line" style={at(tick.at)} />
      ))}
    </div>
  </div>
)

/** Draws the labels of the time axis and of idle periods. */
export function TimeAxis({ scale, ticks, zoom }: TimeAxisProps & { readonly zoom: number }): ReactNode {
  const labelled = withRoom(scale, zoom)
  const near = (scale.span * tickRoom) / zoom
  const last = scale.span - near
  return (
    <div data-part="axis" aria-hidden="true">
      <div data-part="title" />
      <div data-part="track">
        {scale.gaps.map((shown) => {
          const { gap, from, to } = shown
          const length = duration(gap.end - gap.start)
          return (
            <span
              key={gap.start}
              data-part="pause"
              data-late={from > scale.span * (1 - gapRoom / zoom) || undefined}
              title={`${gap.isWait ? 'Waited for a user' : 'Paused'}: ${length}, shown shorter`}
              style={at(from, to)}
            >
              {labelled.has(shown) && length}
            </span>
          )
        })}
        {ticks
          .filter((tick) => tick.at <= last && ![...labelled].some(({ from }) => Math.abs(tick.at - from) < near))
          .map((tick) => (
            <span key={tick.at} data-part="tick" style={at(tick.at)}>
              {tick.label}
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
  const labelled = new Set<ShownGap>()
  let free = Number.NEGATIVE_INFINITY
  for (const shown of gaps) {
    if (shown.from < free || shown.gap.end - shown.gap.start < 1_000) continue
    labelled.add(shown)
    free = shown.from + (span * gapRoom) / zoom
  }
  return labelled
}

/** After this long without an event, a run no longer counts as running. */
const staleAfterMs = 15 * 60_000

/** Makes open bars grow by custom properties instead of renders. Returns the current time, once a second. */
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
      const position = scale.positionOf(now())
      const span = Math.max(scale.span, position) * room
      element.current?.style.setProperty('--now', `${room > 1 ? span : position}`)
      element.current?.style.setProperty('--span', `${span}`)
    }
    draw()
    if (!grows) return
    const frame = prefersReducedMotion() ? eachSecond : nextFrame
    let cancel = frame(function again() {
      draw()
      cancel = frame(again)
    })
    return () => cancel()
  })

  const [, render] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (!grows) return
    const timer = setInterval(render, 1_000)
    return () => clearInterval(timer)
  }, [grows])
  return now()
}

const prefersReducedMotion = (): boolean =>
  typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches

const eachSecond = (callback: () => void): (() => void) => {
  const timer = setTimeout(callback, 1_000)
  return () => clearTimeout(timer)
}
