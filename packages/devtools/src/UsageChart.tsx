import { type ReactNode, useMemo, useState } from 'react'
import { Facts, type PanelProps, Switch, Table } from './parts.tsx'
import { UsageBars } from './UsageBars.tsx'
import { bucketsOf, sumOf, type UsageRow, usageRowsOf } from './usageRowsOf.ts'
import { useRunLog } from './useRunLog.ts'
import { costWords, count, duration } from './wording.ts'

const mostBars = 40

/** Shows tokens and cost, in total and by turn, as bars or as a table. */
export function UsageChart({ run, selected, onSelect }: PanelProps): ReactNode {
  const { events } = useRunLog(run)
  const rows = useMemo(() => usageRowsOf(events), [events])
  const [view, setView] = useState('tokens')
  const total = useMemo(() => sumOf(rows.map(({ usage }) => usage)), [rows])
  const buckets = useMemo(() => bucketsOf(rows, mostBars), [rows])
  const isEstimated = rows.some((row) => row.isEstimated)
  const about = isEstimated ? '≈ ' : ''
  const selection = { selected, onSelect }

  return (
    <div data-interleave="devtools" data-part="panel" data-scrolls>
      <Facts
        facts={{
          'Tokens in': `${about}${count(total.inputTokens)}`,
          'From cache': `${about}${count(total.cachedInputTokens)}`,
          'Tokens out': `${about}${count(total.outputTokens)}`,
          Reasoning: `${about}${count(total.reasoningTokens)}`,
          Cost: costWords(total),
        }}
      />
      {isEstimated && <div data-part="note">≈ Estimated: the model reports no usage.</div>}
      <div data-part="bar">
        <p data-part="facts">{barWords(view, Math.max(0, ...buckets.map((bucket) => bucket.rows)))}</p>
        <Switch
          label="Usage as"
          options={{ tokens: 'Tokens', cost: 'Cost', table: 'Table' }}
          value={view}
          onChange={setView}
        />
      </div>
      {rows.length === 0 ? (
        <div data-part="empty">No model calls yet. Each turn becomes a bar here.</div>
      ) : view === 'table' ? (
        <Table
          label="Usage by turn"
          part="sideways"
          rows={rows}
          keyOf={({ seq }) => seq}
          titles={['Turn', 'In', 'Cached', 'Out', 'Reasoning', 'Cost', 'Took']}
          words={1}
          cellsOf={cellsOf}
          {...selection}
        />
      ) : (
        <UsageBars buckets={buckets} measure={view === 'cost' ? 'cost' : 'tokens'} {...selection} />
      )}
    </div>
  )
}

/** Describes a bar, which is several turns of a long run. */
const barWords = (view: string, perBar: number): string =>
  view === 'table' || perBar <= 1 ? 'By turn' : `A bar for each ${perBar} turns`

function cellsOf({ title, usage, ms, isEstimated }: UsageRow) {
  const about = isEstimated ? '≈ ' : ''
  return {
    title,
    in: `${about}${count(usage.inputTokens)}`,
    cached: `${about}${count(usage.cachedInputTokens)}`,
    out: `${about}${count(usage.outputTokens)}`,
    reasoning: `${about}${count(usage.reasoningTokens)}`,
    cost: costWords(usage),
    took: ms === undefined ? '' : duration(ms),
  }
}
