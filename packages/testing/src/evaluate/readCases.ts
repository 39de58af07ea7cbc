import { AgentError, type Json } from '@interleave/core'
import { assertOption, isObject, messageOf, parseJson } from '@interleave/core/internal'
import { decodeText } from './plainText.ts'

/** One row of a data set: the message to the agent, and the expected answer. */
export interface EvalCase {
  /** Unique in its data set; the row's number if it has none. */
  readonly id: string
  /** The message that the run starts with. */
  readonly input: string
  /** The expected answer, for scorers. */
  readonly expected?: Json
  /** The other columns. */
  readonly data?: Readonly<Record<string, Json>>
}

export interface ReadCasesOptions {
  readonly format: 'csv' | 'jsonl'
}

/** The maximum characters of a file. */
const longestFile = 10_000_000
const mostCases = 10_000
/** The maximum characters of one message. */
const longestInput = 100_000
/** The maximum characters of one line of JSONL. */
const longestLine = 1_000_000

/**
 * Reads a data set. CSV needs a header with the column `input`; each line of JSONL is an object with it. `id` and
 * `expected` are optional. Bytes are read as UTF-8, or as UTF-16 with a byte order mark. Throws for an invalid line,
 * with its number.
 *
 * @example
 * const cases = await readCases(await readFile('cases.csv'), { format: 'csv' })
 */
export async function readCases(given: string | Uint8Array, options: ReadCasesOptions): Promise<readonly EvalCase[]> {
  const { format } = Object(options) as ReadCasesOptions
  assertOption(
    typeof given === 'string' || given instanceof Uint8Array,
    'The first argument of readCases() must be a data set: its text, or the bytes of its file.',
  )
  assertOption(format === 'csv' || format === 'jsonl', 'The `format` of readCases() must be "csv" or "jsonl".')
  const text = textIn(given)
  const cases: EvalCase[] = []
  const lines = new Map<string, number>()
  for (const { line, row } of format === 'csv' ? await csvRows(text) : jsonRows(text)) {
    const read = toCase(row, { line, number: cases.length + 1 })
    const before = lines.get(read.id)
    if (before !== undefined) throw wrong(line, `the id "${read.id}" is that of line ${before}. Give each case its own`)
    if (cases.length === mostCases) throw tooMuch(`more than ${mostCases} cases`)
    lines.set(read.id, line)
    cases.push(read)
  }
  if (cases.length === 0)
    throw new AgentError('options_invalid', 'The data set has no cases. Add a row with an `input`.')
  return cases
}

/** Returns the text of a data set, whose lines end with \n alone. */
function textIn(given: string | Uint8Array): string {
  // A character has at most 4 bytes.
  if (given.length > longestFile * (typeof given === 'string' ? 1 : 4)) throw tooLong()
  const text = typeof given === 'string' ? given : decodeText(given)
  if (text.length > longestFile) throw tooLong()
  const plain = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  // Other programs end a text at a NUL, and UTF-16 without a byte order mark is full of them.
  const nul = plain.indexOf('\0')
  if (nul >= 0) throw wrong(lineCounter(plain)(nul), 'it has a NUL character. Save the file as UTF-8')
  return plain
}

interface Row {
  /** The line, from 1, as editors count. */
  readonly line: number
  readonly row: Readonly<Record<string, unknown>>
}

async function csvRows(text: string): Promise<readonly Row[]> {
  // Loaded only for CSV.
  const { default: papa } = await import('papaparse')
  const ends = lineCounter(text)
  const rows: Row[] = []
  let line = 1
  let header: readonly string[] | undefined
  papa.parse<string[]>(text, {
    newline: '\n',
    delimiter: separatorIn(text),
    skipEmptyLines: false,
    step({ data, errors, meta }) {
      const at = line
      line = ends(meta.cursor)
      const [error] = errors
      if (error) throw wrong(at, error.message)
      if (data.every((cell) => cell.trim() === '')) return
      if (!header) header = headerOf(data, at)
      else rows.push({ line: at, row: rowOf(header, data, at) })
      if (rows.length > mostCases) throw tooMuch(`more than ${mostCases} cases`)
    },
  })
  return rows
}

/** Returns the separator with which the header has the column `input`. Spreadsheets write `;` in many countries. */
function separatorIn(text: string): string {
  const [header = ''] = text.trimStart().split('\n', 1)
  const isColumn = (cell: string): boolean => /^"?input"?$/.test(cell.trim())
  return [',', ';', '\t', '|'].find((separator) => header.split(separator).some(isColumn)) ?? ','
}

/** Returns the line at a position. Positions only grow. */
function lineCounter(text: string): (position: number) => number {
  let [at, line] = [0, 1]
  return (position) => {
    for (; at < position; at++) if (text[at] === '\n') line++
    return line
  }
}

function headerOf(cells: readonly string[], line: number): readonly string[] {
  const names = cells.map((cell) => cell.trim())
  if (!names.includes('input'))
    throw wrong(line, 'the header has no column `input`. Give this name to the column of the messages')
  const known = new Set<string>()
  const twice = names.find((name) => name !== '' && known.size === known.add(name).size)
  if (twice !== undefined) throw wrong(line, `the header has the column \`${twice.slice(0, 100)}\` twice`)
  return names
}

function rowOf(header: readonly string[], cells: readonly string[], line: number): Row['row'] {
  if (cells.length > header.length)
    throw wrong(
      line,
      `it has ${cells.length} cells, and the header has ${header.length}. Quote cells that contain the separator`,
    )
  const row: Record<string, string> = Object.create(null)
  // A header may be long, and its rows short.
  for (const [index, cell] of cells.entries()) {
    const name = header[index] ?? ''
    if (name !== '' && (cell !== '' || name === 'input')) row[name] = cell
  }
  return row
}

function* jsonRows(text: string): Generator<Row> {
  let line = 0
  for (const json of text.split('\n')) {
    line++
    if (json.trim() === '') continue
    yield { line, row: objectIn(json, line) }
  }
}

function objectIn(json: string, line: number): Row['row'] {
  let row: unknown
  try {
    row = parseJson(json, { maxLength: longestLine })
  } catch (error) {
    throw wrong(line, `it is not JSON: ${messageOf(error).replace(/\.$/, '')}`)
  }
  if (!isObject(row)) throw wrong(line, 'it is not an object, such as {"input":"…","expected":"…"}')
  return row as Row['row']
}

function toCase(
  { id, input, expected, ...others }: Row['row'],
  { line, number }: { line: number; number: number },
): EvalCase {
  if (typeof input !== 'string' || input.trim() === '') throw wrong(line, '`input` must be text that is not empty')
  if (input.length > longestInput) throw wrong(line, `\`input\` is longer than ${longestInput} characters`)
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number')
    throw wrong(line, '`id` must be text or a number')
  const data = Object.keys(others).length > 0 ? (others as Readonly<Record<string, Json>>) : undefined
  return {
    id: String(id ?? number).slice(0, 200),
    input,
    ...(expected !== undefined && { expected: expected as Json }),
    ...(data && { data }),
  }
}

const wrong = (line: number, why: string): AgentError =>
  new AgentError('options_invalid', `Line ${line} of the data set: ${why}.`)

const tooMuch = (what: string): AgentError =>
  new AgentError('too_large', `The data set has ${what}. Split it into several files.`)

const tooLong = (): AgentError => tooMuch(`more than ${longestFile} characters`)
