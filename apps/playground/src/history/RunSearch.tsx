import { Search, X } from 'lucide-react'
import { ariaKeys } from '../commands/keys.ts'

export interface RunSearchProps {
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Looks for runs by title, agent and state. */
export const RunSearch = ({ query, onQuery }: RunSearchProps) => (
  <search className="run-search">
    <Search aria-hidden />
    <input
      id="run-search"
      type="text"
      aria-label="Search in the runs"
      aria-keyshortcuts={ariaKeys('/')}
      placeholder="Search runs"
      autoComplete="off"
      value={query}
      onChange={({ target }) => onQuery(target.value)}
      onKeyDown={({ key }) => key === 'Escape' && onQuery('')}
    />
    {query ? (
      <button type="button" className="icon-button" aria-label="Show all runs" onClick={() => onQuery('')}>
        <X aria-hidden />
      </button>
    ) : (
      <kbd aria-hidden>/</kbd>
    )}
  </search>
)
