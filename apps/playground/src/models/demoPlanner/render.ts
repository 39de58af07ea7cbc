import { isRecord } from './candidates.ts'
import type { Observation } from './conversation.ts'
import { capital, shorten, spaced } from './question.ts'

/** What a call came to, in Markdown. */
export function renderObservation(observation: Observation): string {
  const title = titleOf(observation)
  const { status, value, tool } = observation
  if (status === 'refused') return `${title} was refused${value ? `: ${plainly(value)}` : '.'} I left it at that.`
  if (status === 'failed') return `${title} failed: ${plainly(value) || `${tool} gave no reason.`}`
  const result = renderValue(withoutInput(value, observation.input))
  return result.includes('\n') ? `${title}:\n\n${result}` : `${title}: ${result}`
}

/** What the user said is not told again: fields that only repeat the input are left out. */
function withoutInput(value: unknown, input: unknown): unknown {
  if (!isRecord(input)) return value
  if (Array.isArray(value) && value.every(isRecord)) {
    const isSaid = (key: string): boolean => input[key] !== undefined && value.every((row) => row[key] === input[key])
    return value.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !isSaid(key))))
  }
  if (!isRecord(value)) return value
  const news = Object.entries(value).filter(([key, field]) => field !== input[key])
  if (news.length === 0) return value
  return news.length === 1 ? news[0]?.[1] : Object.fromEntries(news)
}

function titleOf({ tool, input }: Observation): string {
  const values = isRecord(input)
    ? Object.values(input).filter((value) => value !== null && typeof value !== 'object')
    : []
  const about = values.length > 0 ? ` (${shorten(values.join(', '))})` : ''
  return `**${capital(spaced(tool))}**${about}`
}

function renderValue(value: unknown, depth = 0): string {
  if (value === null || value === undefined || value === '') return 'no result'
  if (Array.isArray(value)) return renderList(value, depth)
  if (!isRecord(value)) return typeof value === 'string' ? shorten(value, 1_500) : `**${String(value)}**`
  if (depth === 0 && fieldNamed(value, texts) && fieldNamed(value, titles)) return renderRow(value, 0)
  const entries = Object.entries(value).slice(0, 20)
  if (depth > 1) return shorten(JSON.stringify(value), 120)
  return entries.map(([key, field]) => `${'  '.repeat(depth)}- ${spaced(key)}: ${nested(field, depth)}`).join('\n')
}

const nested = (field: unknown, depth: number): string => {
  const isNested = typeof field === 'object' && field !== null && Object.keys(field).length > 0
  return isNested ? `\n${renderValue(field, depth + 1)}` : renderValue(field)
}

function renderList(items: readonly unknown[], depth: number): string {
  if (items.length === 0) return 'nothing found'
  if (depth > 1)
    return shorten(items.map((item) => (isRecord(item) ? JSON.stringify(item) : String(item))).join(', '), 120)
  const shown = items.slice(0, 10)
  const more = items.length > shown.length ? `\n\n… and ${items.length - shown.length} more.` : ''
  if (depth === 0 && items.length > 1 && shown.every(isFlat)) return `${renderTable(shown)}${more}`
  const lines = shown.map((item) => `${'  '.repeat(depth)}- ${isRecord(item) ? renderRow(item) : renderValue(item, 2)}`)
  return `${lines.join('\n')}${more}`
}

const isFlat = (item: unknown): item is Record<string, unknown> =>
  isRecord(item) && Object.values(item).every((field) => typeof field !== 'object' && String(field).length <= 60)

function renderRow(item: Record<string, unknown>, depth = 1): string {
  const [title, link, text] = [titles, links, texts].map((names) => fieldNamed(item, names))
  if (title !== undefined && (link !== undefined || text !== undefined)) {
    const head = link === undefined ? `**${title}**` : `[${title}](${link})`
    if (text === undefined) return head
    return depth === 0 ? `${head}\n\n${shorten(text, 3_000)}` : `${head}: ${shorten(text.replace(/\s+/g, ' '), 600)}`
  }
  const fields = Object.entries(item).slice(0, 8)
  return fields.map(([key, field]) => `${spaced(key)} ${renderValue(field, 2)}`).join(', ')
}

const titles = /^(?:title|name|heading|headline)$/i
const links = /^(?:link|url|href)$/i
const texts = /^(?:quote|excerpt|snippet|summary|description|text|body|content)$/i

function fieldNamed(item: Record<string, unknown>, names: RegExp): string | undefined {
  const field = Object.entries(item).find(([key]) => names.test(key))?.[1]
  return typeof field === 'string' ? field : undefined
}

function renderTable(rows: readonly Record<string, unknown>[]): string {
  const keys = [...new Set(rows.flatMap(Object.keys))].slice(0, 8)
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const body = rows.map((row) =>
    line(
      keys.map((key) =>
        String(row[key] ?? '')
          .replaceAll('|', '\\|')
          .replaceAll('\n', ' '),
      ),
    ),
  )
  return [line(keys.map(spaced)), line(keys.map(() => '---')), ...body].join('\n')
}

const plainly = (value: unknown): string =>
  typeof value === 'string' ? shorten(value, 500) : value ? shorten(JSON.stringify(value), 500) : ''
