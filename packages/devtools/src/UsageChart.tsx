import { type ReactNode, useMemo, useState } from 'react'
import { bucketsOf, sumOf } from './bucketsOf.ts'
import { Facts } from './Facts.tsx'
import type { PanelProps } from './PanelProps.ts'
import { Switch } from './Switch.tsx'
import { UsageBars } from './UsageBars.tsx'
import { UsageTable } from './UsageTable.tsx'
import { usageRowsOf } from './usageRowsOf.ts'
import { useRunLog } from './useRunLog.ts'
import { costWords, count } from './wording.ts'

const mostBars = 60

/** Tokens and cost, turn by turn and in all: as bars, or as a table. */
export function UsageChart({ run, selected, onSelect }: PanelProps): ReactNode {
  const { events } = useRunLog(run)
  const rows = useMemo(() => usageRowsOf(events), [events])
  const [look, setLook] = useState('tokens')
  const total = useMemo(() => sumOf(rows.map(({ usage }) => usage)), [rows])
  const buckets = useMemo(() => bucketsOf(rows, mostBars), [rows])
  const guessed = rows.filter(({ isEstimated }) => isEstimated).length
  const about = guessed > 0 ? '≈ ' : ''

  return (
    <div data-interleave="devtools" data-part="panel" data-scrolls>
      <Facts
        facts={{
          'Tokens in': `${about}${count(total.inputTokens)}`,
          'From cache': count(total.cachedInputTokens),
          'Tokens out': `${about}${count(total.outputTokens)}`,
          Reasoning: count(total.reasoningTokens),
          Cost: costWords(total),
        }}
      />
      {guessed > 0 && <div data-part="note">≈ Estimated: the model does not count its tokens.</div>}
      <div data-part="bar">
        <p data-part="facts">By turn</p>
        <Switch
          label="Usage as"
          options={{ tokens: 'Tokens', cost: 'Cost', table: 'Table' }}
          value={look}
          onChange={setLook}
        />
      </div>
      {rows.length === 0 ? (
        <div data-part="empty">No model has answered yet. Each turn becomes a bar here.</div>
      ) : look === 'table' ? (
        <UsageTable rows={rows} selected={selected} onSelect={onSelect} />
      ) : (
        <UsageBars
          buckets={buckets}
          measure={look === 'cost' ? 'cost' : 'tokens'}
          selected={selected}
          onSelect={onSelect}
        />
      )}
    </div>
  )
}
