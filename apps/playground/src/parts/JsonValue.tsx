import type { Json } from '@interleave/core'
import { UntrustedText } from '@interleave/react'
import { plainJson, plainText } from '@interleave/react/untrusted'
import './jsonValue.css'

/** A JSON value to read: records as lists, lists of records as tables, the rest as it is. */
export function JsonValue({ value, label, depth = 0 }: { value: Json; label: string; depth?: number }) {
  if (isRecord(value) && depth < deepest && Object.keys(value).length <= most)
    return <Record value={value} label={label} depth={depth} />
  if (Array.isArray(value) && value.length > 0 && value.length <= most && value.every(isFlat))
    return <Rows rows={value} label={label} />
  if (isPlainList(value)) return <p className="json-text">{untrusted(value.join(', ') || 'nothing')}</p>
  if (typeof value === 'string') return <p className="json-text">{untrusted(value)}</p>
  return <Source value={value} label={label} />
}

/** The limits of a table: data that are deeper, or have more members or rows, are shown as JSON. */
const deepest = 6
const most = 200
const mostColumns = 50

/** JSON as text. */
function Source({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="json-source" aria-label={label} tabIndex={0}>
      <pre>
        <UntrustedText limit={20_000}>{plainJson(value)}</UntrustedText>
      </pre>
    </section>
  )
}

const untrusted = (text: string) => <UntrustedText limit={5_000}>{text}</UntrustedText>

type JsonRecord = { readonly [key: string]: Json }

function Record({ value, label, depth }: { value: JsonRecord; label: string; depth: number }) {
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className="json-text json-nothing">no input</p>
  return (
    <dl className="json-record">
      {entries.map(([name, field]) => (
        <div key={name}>
          <dt>{plainText(name)}</dt>
          <dd>
            {isPlain(field) ? (
              untrusted(String(field))
            ) : (
              <JsonValue value={field} label={`${label}, ${plainText(name)}`} depth={depth + 1} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

function Rows({ rows, label }: { rows: readonly JsonRecord[]; label: string }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (columns.length > mostColumns) return <Source value={rows} label={label} />
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="json-rows" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {plainText(column)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={typeof row[column] === 'number' ? 'number' : undefined}>
                  {plainText(cellText(row[column]))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const cellText = (value: Json | undefined): string => (Array.isArray(value) ? value.join(', ') : String(value ?? ''))
const isPlain = (value: Json): boolean => typeof value !== 'object' || value === null
const isPlainList = (value: Json): value is Json[] => Array.isArray(value) && value.every(isPlain)
const isRecord = (value: Json): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isFlat = (value: Json): value is JsonRecord =>
  isRecord(value) && Object.values(value).every((field) => isPlain(field) || isPlainList(field))
