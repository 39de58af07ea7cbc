import { escapeHidden } from '@interleave/react/internal'
import { type ReactNode, useMemo, useState } from 'react'
import { Icon, type PanelProps, Switch, Table } from './parts.tsx'
import { TimelineChart, ZoomButtons } from './TimelineChart.tsx'
import { type Timeline as RunTimeline, timelineOf } from './timelineOf.ts'
import { kindWords, stateWords, type TimelineRow } from './timelineRows.ts'
import { useRunLog } from './useRunLog.ts'
import { counted, duration } from './wording.ts'

/**
 * Shows a run over time: model and tool calls, questions and how long they waited. Long waits are shortened. Keys: arrows,
 * `Enter` opens a row, `Escape` closes it, and `+`, `-` and `0` zoom.
 */
export function Timeline({ run, selected, onSelect }: PanelProps): ReactNode {
  const log = useRunLog(run)
  const { events, turns, isStill } = log
  // biome-ignore lint/correctness/useExhaustiveDependencies: the progress of tools and the time change no rows.
  const timeline = useMemo(() => timelineOf(log), [events, turns, isStill])
  const [view, setView] = useState('chart')
  const [zoom, setZoom] = useState(1)
  const shown = { timeline, selected, onSelect }

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <p data-part="facts">{summaryOf(timeline)}</p>
        {view === 'chart' && <ZoomButtons zoom={zoom} onZoom={setZoom} />}
        <Switch label="Timeline as" options={{ chart: 'Chart', table: 'Table' }} value={view} onChange={setView} />
      </div>
      {timeline.rows.length === 0 ? (
        <div data-part="empty">No events yet. Each model and tool call becomes a bar here.</div>
      ) : view === 'chart' ? (
        <TimelineChart {...shown} zoom={zoom} onZoom={setZoom} />
      ) : (
        <Table
          label="Timeline"
          part="scroller"
          rows={timeline.rows}
          keyOf={({ id }) => id}
          words={2}
          cellsOf={(row) => cellsOf(row, timeline)}
          selected={selected}
          onSelect={onSelect}
        />
      )}
    </div>
  )
}

const cellsOf = ({ kind, title, state, start, end }: TimelineRow, timeline: RunTimeline) => ({
  Name: (
    <>
      <Icon name={kind} /> {escapeHidden(title)} <small>{kindWords[kind]}</small>
    </>
  ),
  State: (
    <span data-part="state" data-state={state}>
      <Icon name={state} /> {stateWords[state]}
    </span>
  ),
  Start: duration(start - timeline.start),
  Took: end === undefined ? `${duration(timeline.end - start)} so far` : end === start ? '' : duration(end - start),
})

function summaryOf({ rows, gaps, start, end }: RunTimeline): string {
  const turns = rows.filter(({ kind }) => kind === 'turn').length
  const calls = rows.filter(({ kind }) => kind === 'call' || kind === 'child').length
  const idle = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
  const waited = gaps.reduce((sum, gap) => sum + (gap.isWait ? gap.end - gap.start : 0), 0)
  return [
    counted(turns, 'turn'),
    calls > 0 && counted(calls, 'tool call'),
    `${duration(end - start - idle)} of work`,
    waited > 0 && `waited ${duration(waited)} (striped, shown shorter)`,
  ]
    .filter(Boolean)
    .join(' · ')
}
