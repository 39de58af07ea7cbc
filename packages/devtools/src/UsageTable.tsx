import type { ReactNode } from 'react'
import type { UsageRow } from './usageRowsOf.ts'
import { useMore } from './useMore.tsx'
import { costWords, count, duration } from './wording.ts'

export interface UsageTableProps {
  readonly rows: readonly UsageRow[]
  readonly selected: number | undefined
  readonly onSelect: ((seq: number | undefined) => void) | undefined
}

/** The numbers themselves. */
export function UsageTable({ rows, selected, onSelect }: UsageTableProps): ReactNode {
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
