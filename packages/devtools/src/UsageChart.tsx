import { type ReactNode, useMemo, useState } from 'react'
import { Facts, type PanelProps, Switch, useMore } from './parts.tsx'
import { UsageBars } from './UsageBars.tsx'
import { bucketsOf, sumOf, type UsageRow, usageRowsOf } from './usageRowsOf.ts'
import { useRunLog } from './useRunLog.ts'
import { costWords, count, duration } from './wording.ts'

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

interface UsageTableProps {
  readonly rows: readonly UsageRow[]
  readonly selected: number | undefined
  readonly onSelect: ((seq: number | undefined) => void) | undefined
}

/** The numbers themselves. */
function UsageTable({ rows, selected, onSelect }: UsageTableProps): ReactNode {
  const { shown, rest } = useMore(rows)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section data-part="sideways" aria-label="Usage by turn" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Turn</th>
            {['In', 'Cached', 'Out', 'Reasoning', 'Cost', 'Took'].map((name) => (
              <th key={name} scope="col" data-number>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.seq} aria-current={row.seq === selected || undefined}>
              <th scope="row">
                <button type="button" data-part="link" onClick={() => onSelect?.(row.seq)}>
                  {row.title}
                </button>
              </th>
              {cellsOf(row).map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never change their places.
                <td key={index} data-number>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rest}
    </section>
  )
}

function cellsOf({ usage, ms, isEstimated }: UsageRow): readonly string[] {
  const about = isEstimated ? '≈ ' : ''
  return [
    `${about}${count(usage.inputTokens)}`,
    count(usage.cachedInputTokens),
    `${about}${count(usage.outputTokens)}`,
    count(usage.reasoningTokens),
    costWords(usage),
    ms === undefined ? '' : duration(ms),
  ]
}
