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
import { Icon } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { TimeAxis, TimeBands, useGrowth } from './TimeAxis.tsx'
import type { Timeline } from './timelineOf.ts'
import type { TimelineRow } from './timelineRows.ts'
import { kindWords, stateWords } from './timelineRows.ts'
import { type Scale, scaleOf, ticksOf } from './timeScale.ts'
import { duration } from './wording.ts'

export interface TimelineViewProps {
  readonly timeline: Timeline
  readonly selected: number | undefined
  readonly onSelect: ((seq: number | undefined) => void) | undefined
}

interface TimelineChartProps extends TimelineViewProps {
  /** The zoom factor, 1 for the whole run. */
  readonly zoom: number
  readonly onZoom: (zoom: number) => void
}

const headHeight = 30
const rowHeight = 28

/** The waterfall: a bar for each row, as long as it took. What tools tell on the way changes nothing of it. */
export const TimelineChart: NamedExoticComponent<TimelineChartProps> = memo(function TimelineChart(props): ReactNode {
  const { timeline, selected, onSelect, zoom, onZoom } = props
  const scroller = useRef<HTMLDivElement>(null)
  const scale = useMemo(() => scaleOf(timeline), [timeline])
  const now = useGrowth(scroller, { timeline, scale })
  const chosen = timeline.rows.find((row) => row.seq === selected && row.kind !== 'retry')
  useSideways(scroller, { at: chosen && scale.shown(chosen.start) / scale.span, zoom })
  const until = { start: timeline.start, end: Math.max(timeline.end, now) }
  const ticks = ticksOf(until, scale, 5 * zoom)

  const onKey = ({ key }: KeyboardEvent): boolean => {
    if (key === 'Escape' && selected !== undefined) onSelect?.(undefined)
    else if (key === '+' || key === '=') onZoom(zoomIn(zoom))
    else if (key === '-') onZoom(zoomOut(zoom))
    else if (key === '0') onZoom(1)
    else return false
    return true
  }

  return (
    <div data-part="chart" style={{ '--zoom': zoom } as CSSProperties}>
      <RowList
        label="Timeline"
        rows={timeline.rows}
        rowHeight={rowHeight}
        keyOf={idOf}
        selected={chosen?.id}
        onSelect={({ seq }) => onSelect?.(seq)}
        draw={(row) => drawRow(row, { scale, start: timeline.start, now, grows: timeline.isWorking })}
        more={{
          onKey,
          scroller,
          headHeight,
          followsEnd: true,
          head: (
            <>
              <TimeBands scale={scale} ticks={ticks} height={headHeight + timeline.rows.length * rowHeight} />
              <TimeAxis scale={scale} ticks={ticks} zoom={zoom} />
            </>
          ),
        }}
      />
    </div>
  )
})

const idOf = ({ id }: TimelineRow): string => id

interface Place {
  readonly scale: Scale
  readonly start: number
  /** In milliseconds since the epoch. */
  readonly now: number
  readonly grows: boolean
}

function drawRow(row: TimelineRow, { scale, start, now, grows }: Place) {
  const { kind, state, start: from, end } = row
  const title = escapeHidden(row.title)
  const took = end === from && !hasLength(row) ? '' : end === undefined && !grows ? '…' : duration((end ?? now) - from)
  const facts = `${kindWords[kind]}, ${stateWords[state]}, at ${duration(from - start)}${took && ', took '}`
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

/** Returns true if a row is a duration, even of zero length, and not a mark. */
const hasLength = ({ kind, state }: TimelineRow): boolean =>
  kind === 'turn' || kind === 'wait' || (kind === 'call' && state !== 'queued' && state !== 'waiting')

function Bar({ row, scale }: { row: TimelineRow; scale: Scale }) {
  const { start, end, firstTokenAt } = row
  const from = scale.shown(start)
  const style = { '--from': from, ...(end !== undefined && { '--to': scale.shown(end) }) } as CSSProperties
  if (end === start && !hasLength(row)) return <span data-part="mark" style={style} />
  return (
    <>
      <span data-part="span" data-open={end === undefined || undefined} style={style} />
      {firstTokenAt !== undefined && (
        <>
          <span
            data-part="before-token"
            style={{ '--from': from, '--to': scale.shown(firstTokenAt) } as CSSProperties}
          />
          <span
            data-part="first-token"
            title={`First token after ${duration(firstTokenAt - start)}`}
            style={{ '--from': scale.shown(firstTokenAt) } as CSSProperties}
          />
        </>
      )}
    </>
  )
}

/** Shows less of the time, and more of what was in it. The keys are +, - and 0. */
export const ZoomButtons = ({ zoom, onZoom }: { zoom: number; onZoom: (zoom: number) => void }): ReactNode => (
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

/** The zoom factor, 1 for the whole run. */
const zooms: readonly number[] = [1, 1.5, 2, 3, 5, 8, 12, 20, 40]

const zoomIn = (zoom: number): number => zooms.find((one) => one > zoom) ?? zoom
const zoomOut = (zoom: number): number => zooms.findLast((one) => one < zoom) ?? zoom

/** Keeps the selection in view if the chart is wider than its container. `at` is its start, from 0 to 1. */
function useSideways(
  scroller: RefObject<HTMLElement | null>,
  { at, zoom }: { readonly at: number | undefined; readonly zoom: number },
): void {
  useEffect(() => {
    const element = scroller.current
    const track = element?.querySelector<HTMLElement>('[data-part="axis"] > [data-part="track"]')
    if (!element || !track || at === undefined || zoom === 1) return
    const seen = element.clientWidth - (element.scrollWidth - track.clientWidth)
    const place = at * track.clientWidth
    const { scrollLeft } = element
    if (place < scrollLeft || place > scrollLeft + seen * 0.9) element.scrollLeft = place - seen / 3
  }, [scroller, at, zoom])
}
