import type { ParseResult } from 'papaparse'

export type Cell = number | string | null
export type Row = Readonly<Record<string, Cell>>

/** Rows under named columns, in the order of the file. */
export interface Table {
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

const largest = 200_000

/** Reads CSV text: detects the separator, takes the names from the first line, and converts numbers. */
export async function parseTable(csv: string): Promise<Table> {
  const { default: papa } = await import('papaparse')
  const { data, meta }: ParseResult<Record<string, string>> = papa.parse(csv.trim(), {
    header: true,
    skipEmptyLines: 'greedy',
    transformHeader: (name) => name.trim(),
  })
  const columns = meta.fields ?? []
  if (columns.length === 0 || data.length === 0)
    throw new Error('The file has no rows. It needs a line of names, then data.')
  if (data.length > largest) throw new Error(`The file has more than ${largest.toLocaleString('en')} rows.`)
  return { columns, rows: data.map((row) => Object.fromEntries(columns.map((name) => [name, toCell(row[name])]))) }
}

function toCell(text: string | undefined): Cell {
  const trimmed = text?.trim()
  if (!trimmed) return null
  const plain = trimmed.replace(/^[€$£]\s*/, '').replace(/(?<=\d),(?=\d{3}\b)/g, '')
  return /^-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(plain) ? Number(plain) : trimmed
}

/** Finds a column by a name that may be written differently. Throws with the list of columns if there is none. */
export function columnNamed({ columns }: Table, name: string): string {
  const wanted = plain(name)
  const containing = columns.filter((column) => plain(column).includes(wanted))
  const column =
    columns.find((known) => plain(known) === wanted) ?? (containing.length === 1 ? containing[0] : undefined)
  if (!column) throw new Error(`There is no column "${name}". The columns are: ${columns.join(', ')}.`)
  return column
}

/** Removes case, spaces, plural, and the small words at the start. */
const plain = (name: string): string =>
  name
    .toLowerCase()
    .replace(/^(?:(?:by|of|the|in|column)\s+)+/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '')
