import { escapeHidden } from '@interleave/react/internal'
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type NamedExoticComponent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
} from 'react'
import { Icon, type PanelProps } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { at, TimeAxis, TimeBands, useGrowth } from './TimeAxis.tsx'
import type { Timeline } from './timelineOf.ts'
import { kindWords, stateWords, type TimelineRow } from './timelineRows.ts'
import { type Scale, scaleOf, ticksOf, visible } from './timeScale.ts'
import { duration } from './wording.ts'

interface ZoomProps {
  /** The zoom factor, 1 for the whole run. */
  readonly zoom: number
  readonly onZoom: (zoom: number) => void
}

export interface TimelineChartProps extends ZoomProps, Pick<PanelProps, 'selected' | 'onSelect'> {
  readonly timeline: Timeline
}

const headHeight = 30
const rowHeight = 28

/** Draws a bar for each row, as long as it took. Memoised, since the progress of tools changes nothing in it. */
export const TimelineChart: NamedExoticComponent<TimelineChartProps> = memo(function TimelineChart(props): ReactNode {
  const { timeline, selected, onSelect, zoom, onZoom } = props
  const scroller = useRef<HTMLDivElement>(null)
  const scale = useMemo(() => scaleOf(timeline), [timeline])
  const now = useGrowth(scroller, { timeline, scale })
  const chosen = timeline.rows.find((row) => row.seq === selected && row.kind !== 'retry')
  useInView(scroller, { from: chosen && scale.positionOf(chosen.start) / scale.span, zoom })
  const ticks = ticksOf({ start: timeline.start, end: Math.max(timeline.end, now) }, scale, 5 * zoom)

  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Escape' && selected !== undefined) onSelect?.(undefined)
    else if (key === '+' || key === '=') onZoom(zoomIn(zoom))
    else if (key === '-') onZoom(zoomOut(zoom))
    else if (key === '0') onZoom(1)
    else return false
    return true
  }
  const seen = useMemo(() => visible(scale, zoom), [scale, zoom])
  const head = (
    <>
      <TimeBands scale={seen} ticks={ticks} height={headHeight + timeline.rows.length * rowHeight} />
      <TimeAxis scale={seen} ticks={ticks} zoom={zoom} />
    </>
  )
  return (
    <div data-part="chart" style={{ '--zoom': zoom } as CSSProperties}>
      <RowList
        label="Timeline"
        rows={timeline.rows}
        rowHeight={rowHeight}
        keyOf={({ id }) => id}
        selected={chosen?.id}
        onSelect={({ seq }) => onSelect?.(seq)}
        draw={(row) => drawRow(row, { scale, timeline, now })}
        onKey={onKey}
        scroller={scroller}
        head={{ content: head, height: headHeight }}
        followsEnd
      />
    </div>
  )
})

interface Chart {
  readonly scale: Scale
  readonly timeline: Timeline
  /** The current time in milliseconds since the epoch. */
  readonly now: number
}

function drawRow(row: TimelineRow, { scale, timeline, now }: Chart) {
  const { kind, state, start, end } = row
  const title = escapeHidden(row.title)
  const isOngoing = end === undefined && !timeline.isWorking
  const took = isOngoing ? '…' : isMark(row) ? '' : duration((end ?? now) - start)
  const facts = `${kindWords[kind]}, ${stateWords[state]}, at ${duration(start - timeline.start)}${took && ', took '}`
  return {
    attributes: { 'data-kind': kind, 'data-state': state, 'data-depth': row.depth },
    content: (
      <>
        <span data-part="title" title={`${title}\n${facts}${took}`}>
          <Icon name={kind} />
          <span>{title}</span>
          <span data-part="hidden">{` ${facts}`}</span>
          {state !== 'done' && <Icon name={state} />}
        </span>
        <span data-part="track">
          <Bar row={row} scale={scale} />
        </span>
        <span data-part="took">{took}</span>
      </>
    ),
  }
}

/** Returns true if a row is a mark, and not a duration, even of zero length. */
const isMark = ({ kind, state, start, end }: TimelineRow): boolean =>
  start === end && kind !== 'turn' && kind !== 'wait' && (kind !== 'call' || state === 'queued' || state === 'waiting')

function Bar({ row, scale }: { readonly row: TimelineRow; readonly scale: Scale }) {
  const { start, end, firstTokenAt } = row
  const from = scale.positionOf(start)
  const style = at(from, end === undefined ? undefined : scale.positionOf(end))
  if (isMark(row)) return <span data-part="mark" style={style} />
  const token = firstTokenAt === undefined ? undefined : scale.positionOf(firstTokenAt)
  return (
    <>
      <span data-part="span" data-open={end === undefined || undefined} style={style} />
      {token !== undefined && firstTokenAt !== undefined && (
        <>
          <span data-part="before-token" style={at(from, token)} />
          <span
            data-part="first-token"
            title={`First token after ${duration(firstTokenAt - start)}`}
            style={at(token)}
          />
        </>
      )}
    </>
  )
}

/** Zoom buttons. The keys are +, - and 0. */
export const ZoomButtons = ({ zoom, onZoom }: ZoomProps): ReactNode => (
  <fieldset data-part="switch" aria-label="Zoom">
    <button type="button" aria-label="Zoom out" disabled={zoom === 1} onClick={() => onZoom(zoomOut(zoom))}>
      <Icon name="zoomOut" />
    </button>
    <button type="button" disabled={zoom === 1} onClick={() => onZoom(1)}>
      Fit
    </button>
    <button type="button" aria-label="Zoom in" disabled={zoomIn(zoom) === zoom} onClick={() => onZoom(zoomIn(zoom))}>
      <Icon name="zoomIn" />
    </button>
  </fieldset>
)

const zooms: readonly number[] = [1, 1.5, 2, 3, 5, 8, 12, 20, 40]
const zoomIn = (zoom: number): number => zooms.find((one) => one > zoom) ?? zoom
const zoomOut = (zoom: number): number => zooms.findLast((one) => one < zoom) ?? zoom

/** Keeps the selection in view if the chart is wider than its container. `from` is its start, from 0 to 1. */
function useInView(
  scroller: RefObject<HTMLElement | null>,
  { from, zoom }: { readonly from: number | undefined; readonly zoom: number },
): void {
  useEffect(() => {
    const element = scroller.current
    const track = element?.querySelector<HTMLElement>('[data-part="axis"] > [data-part="track"]')
    if (!element || !track || from === undefined || zoom === 1) return
    const visible = element.clientWidth - (element.scrollWidth - track.clientWidth)
    const left = from * track.clientWidth
    const { scrollLeft } = element
    if (left < scrollLeft || left > scrollLeft + visible * 0.9) element.scrollLeft = left - visible / 3
  }, [scroller, from, zoom])
}
