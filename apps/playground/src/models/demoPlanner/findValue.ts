import { matchOption } from '../../answer/matchOption.ts'
import { type Candidate, candidatesFor, pick } from './candidates.ts'
import { plainLabel } from './choices.ts'
import type { Evidence, Missing } from './evidence.ts'
import { emails, numbers, urls } from './mention.ts'
import { choicesOf, questionFor } from './question.ts'
import type { Slot, SlotKind } from './slot.ts'
import { takeFrom } from './takeFrom.ts'
import { isAllowed } from './takeNumber.ts'
import { dates, type TextReader } from './textReader.ts'
import type { PlannerTool } from './toolbox.ts'
import { unitMentions } from './units.ts'

export type Found = { readonly value: unknown; readonly from: string } | Missing

interface Searching {
  readonly tool: PlannerTool
  readonly evidence: Evidence
  readonly fromClause: ReadonlyMap<string, unknown>
  readonly passed: ReadonlyMap<string, unknown>
  readonly around: readonly TextReader[]
  /** The clause without what the fields took of it. */
  readonly rest: string
}

/** Kinds of which a value said for something else is likely meant here too. */
const carried: readonly SlotKind[] = ['name', 'date', 'choice', 'url', 'email', 'unit']

/** The value of one slot from the surest source that has one, or what is to ask. */
export function findValue(slot: Slot, { tool, evidence, fromClause, passed, around, rest }: Searching): Found {
  if (passed.has(slot.name)) return { value: passed.get(slot.name), from: 'the result before' }
  const said = fromClause.get(slot.name)
  const candidates = candidatesFor(slot, evidence.observations)
  const isOffered = slot.kind === 'id' || (slot.kind === 'text' && candidates.length > 0)
  if (isOffered && slot.required) return offered(slot, { tool, evidence, candidates, said, rest })
  // A tool that can list what there is knows better than a guess at the words.
  if (slot.kind === 'text' && slot.required && evidence.findable(slot)) return ask(slot, { tool, evidence, candidates })
  if (said !== undefined) return { value: said, from: 'your words' }
  if (evidence.base?.[slot.name] !== undefined) return { value: evidence.base[slot.name], from: 'the call before' }
  if (!slot.required) return ask(slot, { tool, evidence, candidates: [] })
  for (const reader of carried.includes(slot.kind) ? around : []) {
    const value = takeFrom(reader, slot)
    // A value that the clause gave to another field is not used twice.
    if (value === undefined || [...fromClause.values()].includes(value)) continue
    return { value, from: 'what you said besides' }
  }
  if (candidates.length === 1 && slot.kind !== 'expression' && slot.kind !== 'query')
    return { value: candidates[0]?.value, from: 'an earlier result' }
  return ask(slot, { tool, evidence, candidates })
}

interface Offering {
  readonly tool: PlannerTool
  readonly evidence: Evidence
  readonly candidates: readonly Candidate[]
  readonly said?: unknown
  /** The clause without what other fields took of it. */
  readonly rest?: string
}

/** A value of those that an earlier result lists. */
function offered(slot: Slot, { tool, evidence, candidates, said, rest = '' }: Offering): Found {
  if (said !== undefined && (candidates.length === 0 || candidates.some(({ value }) => value === said))) {
    return { value: said, from: 'your words' }
  }
  const picked = pickFrom(candidates, [rest])
  const base = evidence.base?.[slot.name]
  if (!picked && base !== undefined) return { value: base, from: 'the call before' }
  const chosen = picked ?? pickFrom(candidates, [evidence.clause, ...evidence.around.slice(0, 1)])
  if (chosen) return { value: slot.many ? [chosen.value] : chosen.value, from: 'an earlier result' }
  return ask(slot, { tool, evidence, candidates })
}

const pickFrom = (candidates: readonly Candidate[], texts: readonly string[]): Candidate | undefined =>
  texts.map((text) => pick(candidates, text)).find((candidate) => candidate !== undefined)

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

interface Answering {
  readonly candidates: readonly Candidate[]
  readonly now: Date
}

/** The user's answer to a question as the value of the slot, or undefined when it does not fit. */
function toAnswer(given: unknown, slot: Slot, answering: Answering): unknown {
  if (!slot.many) return toValue(given, slot, answering)
  const items = Array.isArray(given) ? given : String(given).split(/[,;]|\band\b/)
  const values = items.filter((item) => String(item).trim() !== '').map((item) => toValue(item, slot, answering))
  return values.length > 0 && values.every((value) => value !== undefined) ? values : undefined
}

function toValue(given: unknown, slot: Slot, { candidates, now }: Answering): unknown {
  if (slot.kind === 'boolean') return toBoolean(given)
  const said = String(given ?? '').trim()
  if (said === '') return undefined
  const option = slot.options.find((one) => String(one).toLowerCase() === said.toLowerCase())
  if (slot.options.length > 0) return option
  const chosen = candidates.find(
    (one) => plainLabel(one, candidates) === said || String(one.value).toLowerCase() === said.toLowerCase(),
  )
  if (chosen) return chosen.value
  // What was found has all the ids there are.
  if (slot.kind === 'id' && candidates.length > 0) return matchOption(choicesOf(candidates), said)?.value
  switch (slot.kind) {
    case 'number':
      return numbers(said).find(({ value }) => isAllowed(value, slot))?.value
    case 'date':
      return dates(said, now)[0]?.value
    case 'url':
      return urls(said)[0]?.value
    case 'email':
      return emails(said)[0]?.value
    case 'unit':
      return unitMentions(` ${said}`)[0]?.value ?? said
    case 'object':
      return undefined
    default:
      return said.replace(/(?<![.!?])[.!?]+$/, '')
  }
}

function toBoolean(given: unknown): boolean | undefined {
  if (typeof given === 'boolean') return given
  const said = String(given).trim()
  if (/^(?:y|yes|yeah|yep|true|ok|okay|sure|please)\b/i.test(said)) return true
  return /^(?:n|no|nope|false|never|not)\b/i.test(said) ? false : undefined
}
