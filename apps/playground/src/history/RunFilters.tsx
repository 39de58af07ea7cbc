import { plainText } from '@interleave/react/untrusted'
import { type Row, type RunFilter, wordNow } from './rows.ts'

export interface RunFiltersProps {
  readonly rows: readonly Row[]
  readonly filter: RunFilter
  readonly onFilter: (filter: RunFilter) => void
}

/** Reduces a long list of runs to those of an agent, or of a state. */
export function RunFilters({ rows, filter, onFilter }: RunFiltersProps) {
  const select = (name: 'agent' | 'word', label: string, values: readonly string[]) => (
    <select
      aria-label={label}
      value={filter[name]}
      onChange={({ target }) => onFilter({ ...filter, [name]: target.value })}
    >
      <option value="">{label}: all</option>
      {[...new Set([...values, ...(filter[name] ? [filter[name]] : [])])].sort().map((value) => (
        <option key={value} value={value}>
          {plainText(value)}
        </option>
      ))}
    </select>
  )
  return (
    <div className="run-filters">
      {select(
        'agent',
        'Agent',
        rows.map(({ agent }) => agent),
      )}
      {select('word', 'State', rows.map(wordNow))}
    </div>
  )
}
