import type { Event, Failure, Run } from '@interleave/core'
import { escapeHidden } from '@interleave/react/internal'
import { type ComponentProps, type ReactNode, useEffect, useMemo, useState } from 'react'
import type { RowKind, RowState } from './timelineRows.ts'
import { count } from './wording.ts'

/** The props of every part of the devtools. */
export interface PanelProps {
  readonly run: Run | undefined
  /** The `seq` of the selected event. Keep it in your URL to link to an event. */
  readonly selected?: number | undefined
  readonly onSelect?: ((seq: number | undefined) => void) | undefined
}

/** Your own buttons for an event, such as one that forks the run there. */
export type EventActions = (event: Event) => ReactNode

/** Shows a list of names and values, without the empty ones. */
export const Facts = ({ facts }: { facts: Readonly<Record<string, ReactNode>> }): ReactNode => (
  <div data-part="fact-list">
    <dl>
      {Object.entries(facts)
        .filter(([, value]) => value !== undefined && value !== '' && value !== false)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? shownText(value) : value}</dd>
          </div>
        ))}
    </dl>
  </div>
)

/** Returns a text of a model, a tool or a user with its invisible characters escaped, and cut at a length. */
export const shownText = (text: string, most = 300): string =>
  escapeHidden(text.length > most ? `${text.slice(0, most)}…` : text)

/** Shows an error, and whether a retry may help. */
export const FailureNote = ({ error }: { error: Failure }): ReactNode => (
  <div data-part="failure">
    <Icon name="failed" /> <strong>{error.code}</strong> {shownText(error.message, 2_000)}
    {error.status !== undefined && ` (HTTP ${error.status})`}
    {error.retryable && ' A retry may succeed.'}
  </div>
)

/** The number of characters, of any kind, that a browser lays out without a noticeable pause. */
const shownLength = 20_000

/**
 * Shows a value to read and to copy: a string as it is, everything else as JSON. Invisible characters are escaped, and
 * long text is cut until the user expands it.
 */
export function JsonText({ value, label }: { value: unknown; label: string }): ReactNode {
  const [whole, showWhole] = useState<unknown>()
  const isText = typeof value === 'string'
  // A state may have megabytes, and this is drawn again whenever its run goes on.
  const written = useMemo(() => (typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')), [value])
  const isCut = written.length > shownLength && whole !== value
  const shown = isCut ? `${written.slice(0, shownLength)}…` : written
  return (
    <div data-part="value">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard. */}
      <section aria-label={label} tabIndex={0} data-kind={isText ? 'text' : 'json'}>
        {escapeHidden(shown)}
        {isCut && <Button onClick={() => showWhole(value)}>Show all ({count(written.length)} characters)</Button>}
      </section>
      <CopyButton label={`Copy ${label}`} text={() => written} />
    </div>
  )
}

interface ButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'ref'> {
  /** True for a button without a border. */
  readonly isQuiet?: boolean
}

export const Button = ({ isQuiet = false, ...props }: ButtonProps): ReactNode => (
  <button type="button" data-part="button" data-quiet={isQuiet || undefined} {...props} />
)

interface SearchFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (text: string) => void
}

export const SearchField = ({ label, onChange, ...field }: SearchFieldProps): ReactNode => (
  <input type="search" aria-label={label} onChange={({ target }) => onChange(target.value)} {...field} />
)

/** Copies a text to the clipboard, and shows whether that worked. */
export function CopyButton({ label, text }: { label: string; text: () => string }): ReactNode {
  const [result, setResult] = useState('')
  useEffect(() => {
    if (!result) return
    const timer = setTimeout(() => setResult(''), 2_000)
    return () => clearTimeout(timer)
  }, [result])
  const copy = (): Promise<void> =>
    navigator.clipboard.writeText(text()).then(
      () => setResult('Copied'),
      () => setResult('Could not copy'),
    )
  return (
    <Button isQuiet title={label} onClick={() => void copy()}>
      <Icon name="copy" />
      <span data-part="hidden">{label}</span>
      <span role="status">{result}</span>
    </Button>
  )
}

interface SwitchProps {
  readonly label: string
  /** The titles of the options, by value. */
  readonly options: Readonly<Record<string, string>>
  readonly value: string
  readonly onChange: (value: string) => void
}

/** Shows buttons of which one is pressed. */
export const Switch = ({ label, options, value, onChange }: SwitchProps): ReactNode => (
  <fieldset data-part="switch" aria-label={label}>
    {Object.entries(options).map(([option, title]) => (
      <button key={option} type="button" aria-pressed={option === value} onClick={() => onChange(option)}>
        {title}
      </button>
    ))}
  </fieldset>
)

interface TableProps<Row extends { readonly seq: number }> extends Pick<PanelProps, 'selected' | 'onSelect'> {
  readonly label: string
  /** The name of the container's layout in the style sheet. */
  readonly part: 'scroller' | 'sideways'
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** The cells of a row by title, the first of which is its button. Titles are the same for each row. */
  readonly cellsOf: (row: Row) => Readonly<Record<string, ReactNode>>
  /** The number of leading columns that are not numbers. */
  readonly words: number
}

const pageSize = 200

/** Shows a table of rows that select an event, a page at a time. */
export function Table<Row extends { readonly seq: number }>(props: TableProps<Row>): ReactNode {
  const { label, part, rows, keyOf, cellsOf, words, selected, onSelect } = props
  const [most, setMost] = useState(pageSize)
  const left = rows.length - most
  const shown = rows.slice(0, most).map((row) => ({ row, cells: Object.entries(cellsOf(row)) }))
  const numeric = (index: number) => (index < words ? undefined : { 'data-number': true })
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region must be reachable by keyboard.
    <section data-part={part} aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {shown[0]?.cells.map(([title], index) => (
              <th key={title} scope="col" {...numeric(index)}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ row, cells }) => (
            <tr key={keyOf(row)} aria-current={row.seq === selected || undefined}>
              {cells.map(([title, cell], index) =>
                index === 0 ? (
                  <th key={title} scope="row">
                    <button type="button" data-part="link" onClick={() => onSelect?.(row.seq)}>
                      {cell}
                    </button>
                  </th>
                ) : (
                  <td key={title} {...numeric(index)}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <Button onClick={() => setMost(most + pageSize)}>
          Show {count(Math.min(pageSize, left))} more of {count(left)}
        </Button>
      )}
    </section>
  )
}

export type IconName = RowKind | RowState | 'copy' | 'close' | 'zoomIn' | 'zoomOut' | 'open'

/** Shows an icon next to a word with the same meaning. */
export const Icon = ({ name }: { name: IconName }): ReactNode => (
  <svg aria-hidden="true" viewBox="0 0 16 16" data-icon={name}>
    <path d={paths[name]} />
  </svg>
)

/** The SVG path of each icon, in a view box of 16 by 16. */
const paths: Readonly<Record<IconName, string>> = {
  said: 'M2.5 3.5h11v7h-6l-3 2.5v-2.5h-2z',
  turn: 'M8 1.5l1.6 4.9 4.9 1.6-4.9 1.6L8 14.5l-1.6-4.9L1.5 8l4.9-1.6z',
  call: 'M10.2 5.8l3.3-3.3a3.6 3.6 0 0 1-4.8 4.8l-5 5.2a1.4 1.4 0 0 1-2-2l5.2-5a3.6 3.6 0 0 1 4.8-4.8L8.4 4z',
  child: 'M4 2.5v8.5a2 2 0 0 0 2 2h6M4 6h8M10 4l2 2-2 2M10 11l2 2-2 2',
  wait: 'M4 2h8M4 14h8M5 2c0 3.5 6 4.5 6 6s-6 2.5-6 6M11 2c0 3.5-6 4.5-6 6s6 2.5 6 6',
  retry: 'M13 8a5 5 0 1 1-1.5-3.6M13 2v3h-3',
  compaction: 'M8 1.5v4M6 4l2 2 2-2M8 14.5v-4M6 12l2-2 2 2M2.5 8h11',
  aside: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  settled: 'M4 14V2.5h8l-2 3 2 3H4',
  done: 'M3 8.5l3.2 3.2L13 5',
  working: 'M8 2v2.5M8 11.5V14M2 8h2.5M11.5 8H14M3.8 3.8l1.7 1.7M10.5 10.5l1.7 1.7',
  waiting: 'M8 2a6 6 0 1 0 .01 0M8 4.8V8l2.2 1.6',
  queued: 'M8 3.5a4.5 4.5 0 1 0 .01 0',
  paused: 'M5.5 3.5v9M10.5 3.5v9',
  failed: 'M4 4l8 8M12 4l-8 8',
  denied: 'M8 2a6 6 0 1 0 .01 0M3.8 3.8l8.4 8.4',
  stopped: 'M4 4h8v8H4z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5V2.5h-8v8H5',
  close: 'M4 4l8 8M12 4l-8 8',
  zoomIn: 'M3 8h10M8 3v10',
  zoomOut: 'M3 8h10',
  open: 'M6 4l4 4-4 4',
}
