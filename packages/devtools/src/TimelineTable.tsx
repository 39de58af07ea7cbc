import { escapeHidden } from '@interleave/react/internal'
import type { ReactNode } from 'react'
import { Icon } from './Icon.tsx'
import { kindWords, stateWords } from './stateWords.ts'
import type { TimelineViewProps } from './TimelineChart.tsx'
import type { TimelineRow } from './timelineRow.ts'
import { useMore } from './useMore.tsx'
import { duration } from './wording.ts'

/** The same as a table. */
export function TimelineTable({ timeline: { rows, start, end }, selected, onSelect }: TimelineViewProps): ReactNode {
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
