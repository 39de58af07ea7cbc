import { toAnswer } from './answer.ts'
import { arithmetic } from './arithmetic.ts'
import { type Candidate, candidatesFor, pick } from './candidates.ts'
import { refersBack } from './clauses.ts'
import type { Observation } from './conversation.ts'
import { directionOf } from './direction.ts'
import { type Question, questionFor } from './question.ts'
import { numberOf, textOf, unitOf } from './resultValue.ts'
import { type Slot, type SlotKind, slotsOfSchema } from './slot.ts'
import { takeFrom } from './takeFrom.ts'
import { type TextReader, textReader } from './textReader.ts'
import type { PlannerTool } from './toolbox.ts'

/** Everything that a value can be taken from. */
export interface Evidence {
  readonly clause: string
  /** The clause goes on with what the one before it gave. */
  readonly chained: boolean
  /** Texts to look at after the clause: the rest of the message, then earlier ones, the latest first. */
  readonly around: readonly string[]
  /** What the calls gave, those for this message last. */
  readonly observations: readonly Observation[]
  /** The call for this message that this clause goes on from. */
  readonly previous: Observation | undefined
  /** The user's answers by question; null where the user gave none. */
  readonly answers: ReadonlyMap<string, unknown>
  /** The input of a call that this one repeats with a change. */
  readonly base: Readonly<Record<string, unknown>> | undefined
  readonly now: Date
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** What is still to ask. */
  readonly missing: readonly Missing[]
  /** Where each value comes from, in words. */
  readonly notes: readonly string[]
}

export interface Missing {
  readonly slot: Slot
  /** Undefined when the user was asked often enough. */
  readonly question: Question | undefined
  readonly candidates: readonly Candidate[]
}

/** Fills a tool's input from the words, the results and the answers there are; says what is missing. */
export function fillSlots(tool: PlannerTool, evidence: Evidence): Filled {
  const readers = {
    clause: textReader(evidence.clause, { tool, now: evidence.now }),
    around: evidence.around.map((text) => textReader(text, { tool, now: evidence.now })),
  }
  const fromClause = takeAll(tool.slots, readers.clause)
  passOn(tool, { evidence, values: fromClause })
  const input: Record<string, unknown> = {}
  const missing: Missing[] = []
  const notes: string[] = []
  for (const slot of tool.slots) {
    const found = findValue(slot, { tool, evidence, fromClause, around: readers.around })
    if ('value' in found) {
      input[slot.name] = found.value
      notes.push(`${slot.name} = ${JSON.stringify(found.value)} (${found.from})`)
    } else if (slot.required) missing.push(found)
  }
  return { input, missing, notes }
}

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

function takeAll(slots: readonly Slot[], reader: TextReader): Map<string, unknown> {
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

interface Passing {
  readonly evidence: Evidence
  readonly values: Map<string, unknown>
}

/** Passes the result of the call before into the fields of this one that it fits. */
function passOn({ slots }: PlannerTool, { evidence: { clause, chained, previous }, values }: Passing): void {
  if (!chained || previous?.status !== 'ok') return
  const it = numberOf(previous, clause)
  const own = slots.filter(({ kind, required }) => kind === 'number' && required)
  const lacking = own.filter(({ name }) => !values.has(name))
  const [first] = own
  if (it !== undefined && first && lacking.length > 0) {
    // "Multiply it by 4": the 4 is what comes second.
    const taken = values.get(first.name)
    if (taken !== undefined && lacking[0]) values.set(lacking[0].name, taken)
    values.set(first.name, it)
  }
  for (const slot of slots) {
    if (values.has(slot.name) && !refersBack(String(values.get(slot.name)))) continue
    const value = passedTo(slot, { clause, it, previous })
    if (value !== undefined) values.set(slot.name, value)
  }
}

function passedTo(
  slot: Slot,
  { clause, it, previous }: { clause: string; it: number | undefined; previous: Observation },
): unknown {
  if (slot.kind === 'expression') return it === undefined ? undefined : arithmetic(clause, it)
  if (slot.kind === 'unit' && directionOf(slot) !== 'target') return unitOf(previous)
  const takesText = slot.required && (slot.kind === 'text' || slot.kind === 'query')
  return takesText && refersBack(clause) ? textOf(previous) : undefined
}

type Found = { readonly value: unknown; readonly from: string } | Missing

interface Searching {
  readonly tool: PlannerTool
  readonly evidence: Evidence
  readonly fromClause: ReadonlyMap<string, unknown>
  readonly around: readonly TextReader[]
}

/** Kinds of which a value said for something else is likely meant here too. */
const carried: readonly SlotKind[] = ['name', 'date', 'choice', 'url', 'email', 'unit']

function findValue(slot: Slot, { tool, evidence, fromClause, around }: Searching): Found {
  const said = fromClause.get(slot.name)
  const candidates = candidatesFor(slot, evidence.observations)
  const isOffered = slot.kind === 'id' || (slot.kind === 'text' && candidates.length > 0)
  if (isOffered && slot.required) return offered(slot, { tool, evidence, candidates, said })
  if (said !== undefined) return { value: said, from: 'your words' }
  if (evidence.base?.[slot.name] !== undefined) return { value: evidence.base[slot.name], from: 'the call before' }
  if (!slot.required) return ask(slot, { tool, evidence, candidates: [] })
  for (const reader of carried.includes(slot.kind) ? around : []) {
    const value = takeFrom(reader, slot)
    if (value !== undefined) return { value, from: 'what you said besides' }
  }
  if (candidates.length === 1) return { value: candidates[0]?.value, from: 'an earlier result' }
  return ask(slot, { tool, evidence, candidates })
}

interface Offering {
  readonly tool: PlannerTool
  readonly evidence: Evidence
  readonly candidates: readonly Candidate[]
  readonly said?: unknown
}

/** A value of those that an earlier result lists. */
function offered(slot: Slot, { tool, evidence, candidates, said }: Offering): Found {
  if (said !== undefined && (candidates.length === 0 || candidates.some(({ value }) => value === said))) {
    return { value: said, from: 'your words' }
  }
  const base = evidence.base?.[slot.name]
  const words = [evidence.clause, ...evidence.around.slice(0, 1)]
  const chosen = words.map((text) => pick(candidates, text)).find((one) => one !== undefined)
  if (chosen) return { value: slot.many ? [chosen.value] : chosen.value, from: 'an earlier result' }
  if (base !== undefined && candidates.length === 0) return { value: base, from: 'the call before' }
  return ask(slot, { tool, evidence, candidates })
}

/** The answer if the user was asked already; else the question, at most twice. */
function ask(slot: Slot, { tool, evidence: { answers, now }, candidates }: Offering): Found {
  if (!slot.required) return { slot, question: undefined, candidates }
  let wrong: string | undefined
  for (let attempt = 0; attempt < 2; attempt++) {
    const question = questionFor(slot, { tool, candidates, ...(wrong !== undefined && { wrong }) })
    if (!answers.has(question.question)) return { slot, question, candidates }
    const given = answers.get(question.question)
    if (given === null) break
    const value = toAnswer(given, slot, { candidates, now })
    if (value !== undefined) return { value, from: 'your answer' }
    wrong = String(given)
  }
  return { slot, question: undefined, candidates }
}
