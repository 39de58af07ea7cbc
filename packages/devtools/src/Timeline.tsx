import { type ReactNode, useMemo, useState } from 'react'
import type { PanelProps } from './PanelProps.ts'
import { Switch } from './Switch.tsx'
import { TimelineChart } from './TimelineChart.tsx'
import { TimelineTable } from './TimelineTable.tsx'
import { type Timeline as RunTimeline, timelineOf } from './timelineOf.ts'
import { useRunLog } from './useRunLog.ts'
import { counted, duration } from './wording.ts'
import { ZoomButtons } from './ZoomButtons.tsx'

/** Shows a run over time: model and tool calls, questions and how long they waited. */
export function Timeline({ run, selected, onSelect }: PanelProps): ReactNode {
  const log = useRunLog(run)
  const { events, turns, isStill } = log
  // Of the progress of tools it shows nothing, and time goes on by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a long log is read only for what is new in it.
  const timeline = useMemo(() => timelineOf(log), [events, turns, isStill])
  const [look, setLook] = useState('chart')
  const [zoom, setZoom] = useState(1)
  const shown = { timeline, selected, onSelect }

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <p data-part="facts">{summaryOf(timeline)}</p>
        {look === 'chart' && <ZoomButtons zoom={zoom} onZoom={setZoom} />}
        <Switch label="Timeline as" options={{ chart: 'Chart', table: 'Table' }} value={look} onChange={setLook} />
      </div>
      {timeline.rows.length === 0 ? (
        <div data-part="empty">Nothing has happened yet. Each call of a model and of a tool becomes a bar here.</div>
      ) : look === 'chart' ? (
        <TimelineChart {...shown} zoom={zoom} onZoom={setZoom} />
      ) : (
        <TimelineTable {...shown} />
      )}
    </div>
  )
}

function summaryOf({ rows, gaps, start, end }: RunTimeline): string {
  const many = (kinds: readonly string[]): number => rows.filter(({ kind }) => kinds.includes(kind)).length
  const waited = gaps.reduce((sum, gap) => sum + (gap.isWait ? gap.end - gap.start : 0), 0)
  const rested = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
  const calls = many(['call', 'child'])
  return [
    counted(many(['turn']), 'turn'),
    ...(calls > 0 ? [counted(calls, 'tool call')] : []),
    `${duration(end - start - rested)} of work`,
    ...(waited > 0 ? [`waited ${duration(waited)}`] : []),
  ].join(' · ')
}
