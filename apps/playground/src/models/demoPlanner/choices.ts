import type { Candidate } from './candidates.ts'
import { moneyIn } from './resultValue.ts'
import type { JsonSchema } from './slot.ts'
import { shorten, spaced } from './tokenise.ts'
import type { PlannerTool } from './toolbox.ts'

/** An option of a question, for a tool that shows its parts, and as one text for the others. */
export interface Choice {
  readonly value: string
  readonly label: string
  readonly description?: string
  readonly detail?: string
  readonly badge?: string
  readonly plain: string
}

/** The options as the tool for asking takes them. */
export function optionsFor(choices: readonly Choice[], { slots }: PlannerTool): readonly unknown[] {
  const { properties } = slots.find(({ name }) => name === 'options')?.schema ?? ({} as JsonSchema)
  const takesParts = properties?.label !== undefined && choices.some(({ plain, label }) => plain !== label)
  return choices.map(({ plain, ...parts }) => (takesParts ? parts : plain))
}

export const plainChoice = (value: string): Choice => ({ value, label: value, plain: value })

/** A candidate with what tells it from the others: its times or its name, its price at the end, the rest below. */
export function choiceOf(candidate: Candidate, candidates: readonly Candidate[]): Choice {
  const { value, record } = candidate
  const fields = differing(candidate, candidates)
  const price = moneyIn(record)
  const head = headOf(fields)
  const about = fields.filter(([key]) => !head.keys.includes(key) && key !== price?.key)
  const description = about
    .slice(0, 4)
    .map(([key, field]) => (typeof field === 'number' ? `${spaced(key)} ${field}` : field))
  return {
    value: String(value),
    label: head.label ?? String(value),
    ...(description.length > 0 && { description: shorten(description.join(' · '), 160) }),
    ...(price && { detail: price.text }),
    ...(price && isLowest(price.amount, candidates) && { badge: 'Cheapest' }),
    plain: plainLabel(candidate, candidates),
  }
}

/** A candidate as one text. */
export function plainLabel(candidate: Candidate, candidates: readonly Candidate[]): string {
  const about = differing(candidate, candidates)
    .slice(0, 5)
    .map(([key, field]) => `${spaced(key)} ${shorten(String(field), 40)}`)
  return about.length > 0 ? `${candidate.value} (${about.join(', ')})` : String(candidate.value)
}

type Field = readonly [key: string, field: string | number]

const differing = ({ value, record }: Candidate, candidates: readonly Candidate[]): readonly Field[] =>
  Object.entries(record).flatMap(([key, field]): readonly Field[] => {
    const isScalar = typeof field === 'string' || typeof field === 'number'
    return isScalar && field !== value && candidates.some((other) => other.record[key] !== field) ? [[key, field]] : []
  })

function headOf(fields: readonly Field[]): { readonly label?: string; readonly keys: readonly string[] } {
  const named = (pattern: RegExp): Field | undefined => fields.find(([key]) => pattern.test(key))
  const [start, end, name] = [named(/^(?:departs?|departure|leaves)$/i), named(/^arriv(?:es?|al)$/i), named(names)]
  if (start && end) return { label: `${start[1]} → ${end[1]}`, keys: [start[0], end[0]] }
  return name ? { label: shorten(String(name[1]), 80), keys: [name[0]] } : { keys: [] }
}

const names = /^(?:name|title|label|model|headline)$/i

const isLowest = (amount: number, candidates: readonly Candidate[]): boolean =>
  candidates.filter(({ record }) => (moneyIn(record)?.amount ?? Number.POSITIVE_INFINITY) <= amount).length === 1
