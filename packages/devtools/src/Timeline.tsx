import { escapeHidden } from '@interleave/react/internal'
import { type ReactNode, useMemo, useState } from 'react'
import { Icon, type PanelProps, Switch, useMore } from './parts.tsx'
import { TimelineChart, type TimelineViewProps, ZoomButtons } from './TimelineChart.tsx'
import { type Timeline as RunTimeline, timelineOf } from './timelineOf.ts'
import type { TimelineRow } from './timelineRows.ts'
import { kindWords, stateWords } from './timelineRows.ts'
import { useRunLog } from './useRunLog.ts'
import { counted, duration } from './wording.ts'

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

/** The same as a table. */
function TimelineTable({ timeline: { rows, start, end }, selected, onSelect }: TimelineViewProps): ReactNode {
  const { shown, rest } = useMore(rows)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section data-part="scroller" aria-label="Timeline" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">State</th>
            <th scope="col" data-number>
              Began
            </th>
            <th scope="col" data-number>
              Took
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr
              key={row.id}
              data-kind={row.kind}
              data-state={row.state}
              aria-current={row.seq === selected || undefined}
            >
              <th scope="row">
                <button type="button" data-part="link" onClick={() => onSelect?.(row.seq)}>
                  <Icon name={row.kind} /> {escapeHidden(row.title)} <small>{kindWords[row.kind]}</small>
                </button>
              </th>
              <td>
                <span data-part="state">
                  <Icon name={row.state} /> {stateWords[row.state]}
                </span>
              </td>
              <td data-number>{duration(row.start - start)}</td>
              <td data-number>{tookOf(row, end)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rest}
    </section>
  )
}

function tookOf({ start, end }: TimelineRow, until: number): string {
  if (end === undefined) return `${duration(until - start)} so far`
  return end === start ? '' : duration(end - start)
}
