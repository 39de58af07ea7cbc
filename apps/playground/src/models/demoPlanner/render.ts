import { isRecord } from '../../parts/objects.ts'
import { capital } from '../../parts/wording.ts'
import { isIdName } from './candidates.ts'
import type { Observation } from './conversation.ts'
import { moneyIn } from './resultValue.ts'
import { shorten, spaced } from './tokenise.ts'

/** Returns the result of a call, in Markdown. */
export function renderObservation(observation: Observation): string {
  const { status, value, tool, input } = observation
  const name = `**${capital(spaced(tool))}**`
  if (status === 'refused') return `${name} was refused${value ? `: ${plainly(value)}` : '.'} I left it at that.`
  if (status === 'failed') return `${titleOf(observation)} failed: ${plainly(value) || `${tool} gave no reason.`}`
  const sentence = sentenceOf(observation)
  if (sentence !== undefined) return sentence
  const result = renderValue(withoutInput(value, input))
  if (Array.isArray(value) && value.length > 0) return `${listTitle(observation, value)}:\n\n${result}`
  return result.includes('\n') ? `${titleOf(observation)}:\n\n${result}` : `${titleOf(observation)}: ${result}`
}

/** A result that says itself what it is, and a calculation. */
function sentenceOf({ value, input }: Observation): string | undefined {
  if (!isRecord(value)) return undefined
  if (typeof value.summary === 'string' && value.summary !== '') return shorten(value.summary, 1_500)
  if (typeof value.result !== 'number' || !isRecord(input)) return undefined
  const result = `= **${numberText(value.result)}**`
  if (typeof input.expression === 'string') return `\`${input.expression.replaceAll('`', '')}\` ${result}`
  const { value: amount, from, to } = input
  const isConversion = typeof amount === 'number' && typeof from === 'string' && typeof to === 'string'
  return isConversion ? `${numberText(amount)} ${from} ${result} ${to}` : undefined
}

/** "I found 3 hotels" for what searched; the name of the tool for the rest. */
function listTitle(observation: Observation, rows: readonly unknown[]): string {
  const { length } = rows
  const [verb = '', ...noun] = spaced(observation.tool).split(' ')
  if (!/^(?:search|find|list|browse)$/.test(verb) || noun.length === 0) return titleOf(observation)
  const isPages = rows.every((row) => isRecord(row) && fieldNamed(row, links) !== undefined)
  const what = isPages ? 'pages' : noun.join(' ')
  return `I found ${length} ${length === 1 ? what.replace(/s$/, '') : what}${inputWords(observation, isWord)}`
}

const isWord = (field: unknown): boolean => typeof field === 'string'
const isScalar = (field: unknown): boolean => field !== null && typeof field !== 'object'

/** Returns the input of a call, in brackets. */
function inputWords({ input }: Observation, counts: (field: unknown) => boolean): string {
  const values = isRecord(input) ? Object.values(input).filter(counts) : []
  return values.length > 0 ? ` (${shorten(values.join(', '))})` : ''
}

const titleOf = (observation: Observation): string =>
  `**${capital(spaced(observation.tool))}**${inputWords(observation, isScalar)}`

/** Four digits after the point are enough to read. */
const numberText = (value: number): string => String(Number.isInteger(value) ? value : Number(value.toPrecision(6)))

/** Omits fields that only repeat the input: the user knows them. */
function withoutInput(value: unknown, input: unknown): unknown {
  if (!isRecord(input)) return value
  if (Array.isArray(value) && value.every(isRecord)) {
    const isSaid = (key: string): boolean => input[key] !== undefined && value.every((row) => row[key] === input[key])
    return value.map((row) => Object.fromEntries(Object.entries(row).filter(([key]) => !isSaid(key))))
  }
  if (!isRecord(value)) return value
  const added = Object.entries(value).filter(([key, field]) => field !== input[key])
  if (added.length === 0) return value
  return added.length === 1 ? added[0]?.[1] : Object.fromEntries(added)
}

function renderValue(value: unknown, depth = 0): string {
  if (value === null || value === undefined || value === '') return 'no result'
  if (Array.isArray(value)) return renderList(value, depth)
  if (!isRecord(value)) return renderPlain(value)
  const isSection = fieldNamed(value, texts) !== undefined || fieldNamed(value, links) !== undefined
  if (depth === 0 && isSection && fieldNamed(value, titles)) return renderRow(value, 0)
  const entries = Object.entries(value).slice(0, 20)
  if (depth > 1) return shorten(JSON.stringify(value), 120)
  return entries.map(([key, field]) => `${'  '.repeat(depth)}- ${spaced(key)}: ${nested(field, depth)}`).join('\n')
}

function renderPlain(value: unknown): string {
  if (typeof value === 'string') return shorten(value, 1_500)
  return `**${typeof value === 'number' ? numberText(value) : String(value)}**`
}

const nested = (field: unknown, depth: number): string => {
  const hasParts = typeof field === 'object' && field !== null && Object.keys(field).length > 0
  return hasParts ? `\n${renderValue(field, depth + 1)}` : renderValue(field)
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
  isRecord(item) && Object.values(item).every((field) => !isNested(field) && cellText(field).length <= 60)

const isNested = (field: unknown): boolean =>
  Array.isArray(field) ? field.some((item) => typeof item === 'object') : isRecord(field)

function cellText(field: unknown): string {
  if (typeof field === 'number') return numberText(field)
  return Array.isArray(field) ? field.join(', ') : String(field ?? '')
}

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

/** A table as a user reads it: prices with their currency, and no id where a name says more. */
function renderTable(rows: readonly Record<string, unknown>[]): string {
  const all = [...new Set(rows.flatMap(Object.keys))]
  const isPriced = rows.every((row) => moneyIn(row) !== undefined)
  const shown = all.filter((key) => !isIdName(key) && !(isPriced && key === 'currency'))
  const keys = (shown.length > 1 ? shown : all).slice(0, 8)
  const cell = (row: Record<string, unknown>, key: string): string => {
    const money = isPriced ? moneyIn(row) : undefined
    return (money?.key === key ? money.text : cellText(row[key])).replaceAll('|', '\\|').replaceAll('\n', ' ')
  }
  const isNumber = (key: string): boolean => rows.every((row) => typeof (row[key] ?? 0) === 'number')
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const body = rows.map((row) => line(keys.map((key) => cell(row, key))))
  return [line(keys.map(spaced)), line(keys.map((key) => (isNumber(key) ? '--:' : '---'))), ...body].join('\n')
}

const plainly = (value: unknown): string =>
  typeof value === 'string' ? shorten(value, 500) : value ? shorten(JSON.stringify(value), 500) : ''
