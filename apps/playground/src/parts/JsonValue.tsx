import type { Json } from '@interleave/core'
import { UntrustedText } from '@interleave/react'
import './jsonValue.css'

/** A JSON value as a person reads it: records as lists, lists of records as tables, the rest as it is. */
export function JsonValue({ value, label }: { value: Json; label: string }) {
  if (isRecord(value)) return <Record value={value} label={label} />
  if (Array.isArray(value) && value.length > 0 && value.every(isFlat)) return <Rows rows={value} label={label} />
  if (isPlainList(value)) return <p className="json-text">{value.join(', ') || 'nothing'}</p>
  if (typeof value === 'string') return <p className="json-text">{untrusted(value)}</p>
  return <Source value={value} label={label} />
}

/** JSON as text. */
function Source({ value, label }: { value: unknown; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="json-source" aria-label={label} tabIndex={0}>
      <pre>{JSON.stringify(value, null, 2)}</pre>
    </section>
  )
}

const untrusted = (text: string) => <UntrustedText limit={5_000}>{text}</UntrustedText>

type JsonRecord = { readonly [key: string]: Json }

function Record({ value, label }: { value: JsonRecord; label: string }) {
  const entries = Object.entries(value)
  if (entries.length === 0) return <p className="json-text json-nothing">no input</p>
  return (
    <dl className="json-record">
      {entries.map(([name, field]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{isPlain(field) ? untrusted(String(field)) : <JsonValue value={field} label={`${label}, ${name}`} />}</dd>
        </div>
      ))}
    </dl>
  )
}

function Rows({ rows, label }: { rows: readonly JsonRecord[]; label: string }) {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard.
    <section className="json-rows" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column} className={typeof row[column] === 'number' ? 'number' : undefined}>
                  {cellText(row[column])}
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
