import { arithmetic } from './arithmetic.ts'
import { refersBack } from './clauses.ts'
import type { Observation } from './conversation.ts'
import { directionOf } from './direction.ts'
import type { Evidence, Missing } from './evidence.ts'
import { findValue } from './findValue.ts'
import { asText, numberOf, unitOf } from './resultValue.ts'
import { type Slot, type SlotKind, slotsOfSchema } from './slot.ts'
import { takeFrom } from './takeFrom.ts'
import { type TextReader, textReader } from './textReader.ts'
import { spaced } from './tokenise.ts'
import type { PlannerTool } from './toolbox.ts'

/** The kinds whose form is surest take their words first. */
const order: readonly SlotKind[] = [
  'url',
  'email',
  'choice',
  'date',
  'expression',
  'unit',
  'number',
  'id',
  'name',
  'query',
  'text',
  'boolean',
  'object',
]

/** Returns the values that a text has for each slot, by name. */
export function takeAll(slots: readonly Slot[], reader: TextReader): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const sorted = slots.toSorted(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || Number(b.required) - Number(a.required),
  )
  for (const slot of sorted) {
    const value = slot.kind === 'object' ? takeObject(slot, reader) : takeFrom(reader, slot)
    if (value !== undefined) values.set(slot.name, slot.many && !Array.isArray(value) ? [value] : value)
  }
  return values
}

function takeObject({ schema }: Slot, reader: TextReader): Record<string, unknown> | undefined {
  const slots = slotsOfSchema(schema)
  const values = takeAll(slots, reader)
  const isWhole = values.size > 0 && slots.every(({ name, required }) => !required || values.has(name))
  return isWhole ? Object.fromEntries(values) : undefined
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** The values that the user has to be asked for. */
  readonly missing: readonly Missing[]
  /** The source of each value, in words. */
  readonly notes: readonly string[]
}

/** Fills a tool's input from the words, the results and the answers there are; says what is missing. */
export function fillSlots(tool: PlannerTool, evidence: Evidence): Filled {
  const read = (text: string): TextReader => textReader(text, { tool, now: evidence.now })
  const clause = read(evidence.clause)
  const fromClause = takeAll(tool.slots, clause)
  const around = evidence.around.map(read)
  const passed = passOn(tool, { evidence, values: fromClause })
  const input: Record<string, unknown> = {}
  const missing: Missing[] = []
  const notes: string[] = []
  for (const slot of tool.slots) {
    const found = findValue(slot, { tool, evidence, fromClause, passed, around, rest: clause.rest() })
    if ('value' in found) {
      input[slot.name] = found.value
      notes.push(`${spaced(slot.name)} ${inWords(found.value)} (${found.from})`)
    } else if (slot.required) missing.push(found)
  }
  return { input, missing, notes }
}

const inWords = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

interface Passing {
  readonly evidence: Pick<Evidence, 'clause' | 'chained' | 'previous'>
  readonly values: ReadonlyMap<string, unknown>
}

/** The values that the result of the call before gives to the fields of this one that it fits. */
function passOn(tool: PlannerTool, { evidence, values }: Passing): Map<string, unknown> {
  const { clause, chained, previous } = evidence
  if (!chained || previous?.status !== 'ok') return new Map()
  const it = numberOf(previous, clause)
  const passed = passNumber(tool, it, values)
  for (const slot of tool.slots) {
    if (passed.has(slot.name) || (values.has(slot.name) && !refersBack(String(values.get(slot.name))))) continue
    const value = passedTo(slot, { clause, it, previous })
    if (value !== undefined) passed.set(slot.name, value)
  }
  return passed
}

/** "Multiply it by 4": where a number is lacking the result comes first, and the 4 second. */
function passNumber(
  { slots }: PlannerTool,
  it: number | undefined,
  values: ReadonlyMap<string, unknown>,
): Map<string, unknown> {
  const passed = new Map<string, unknown>()
  const own = slots.filter(({ kind, required, many }) => kind === 'number' && required && !many)
  const lacking = own.find(({ name }) => !values.has(name))
  const [first] = own
  if (it === undefined || !first || !lacking) return passed
  if (values.has(first.name)) passed.set(lacking.name, values.get(first.name))
  return passed.set(first.name, it)
}

interface Passed {
  readonly clause: string
  readonly it: number | undefined
  readonly previous: Observation
}

function passedTo(slot: Slot, { clause, it, previous }: Passed): unknown {
  if (slot.kind === 'expression') return it === undefined ? undefined : arithmetic(clause, it)
  if (slot.kind === 'unit' && directionOf(slot) !== 'target') return unitOf(previous)
  const takesText = slot.required && (slot.kind === 'text' || slot.kind === 'query')
  return takesText && refersBack(clause) ? asText(previous) : undefined
}
