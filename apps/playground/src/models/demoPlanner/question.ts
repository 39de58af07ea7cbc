import type { Candidate } from './candidates.ts'
import type { Slot } from './slot.ts'
import { words } from './tokenise.ts'
import type { PlannerTool } from './toolbox.ts'

/** A question to the user, in the form that the tool for asking takes. */
export interface Question {
  readonly question: string
  readonly kind: 'choice' | 'choices' | 'confirm' | 'text'
  readonly options?: readonly string[]
}

interface Asking {
  readonly tool: PlannerTool
  readonly candidates: readonly Candidate[]
  /** The answer before this one, which did not fit. */
  readonly wrong?: string
}

/** Asks for the value of a slot: as a choice if the schema or an earlier result lists what there is. */
export function questionFor(slot: Slot, { tool, candidates, wrong }: Asking): Question {
  const prefix = wrong === undefined ? '' : `"${shorten(wrong)}" does not fit. `
  const asked = slot.kind === 'id' && candidates.length > 1 ? 'Which one?' : wording(slot)
  const question = `${prefix}${asked} (for ${spaced(tool.name)})`
  if (slot.kind === 'boolean') return { question, kind: 'confirm' }
  const options =
    slot.options.length > 0 ? slot.options.map(String) : candidates.map((candidate) => labelOf(candidate, candidates))
  if (options.length < 2) return { question, kind: 'text' }
  return { question, kind: slot.many ? 'choices' : 'choice', options: [...new Set(options)].slice(0, 25) }
}

/** A candidate with what tells it from the others. */
export function labelOf({ value, record }: Candidate, candidates: readonly Candidate[]): string {
  const differs = ([key, field]: [string, unknown]): boolean =>
    field !== value && candidates.some((other) => other.record[key] !== field)
  const about = Object.entries(record)
    .filter(([, field]) => typeof field === 'string' || typeof field === 'number')
    .filter(differs)
    .slice(0, 5)
    .map(([key, field]) => `${spaced(key)} ${shorten(String(field), 40)}`)
  return about.length > 0 ? `${value} (${about.join(', ')})` : String(value)
}

/** The slot's own description as a question, else its name. */
function wording({ name, description, kind, many }: Slot): string {
  const plain = spaced(name)
  const several = many ? ' Several are possible, with commas between.' : ''
  if (description) return `${capital(shorten(description.replace(/[.?]$/, ''), 120))}?${several}`
  if (kind === 'boolean') return `${capital(plain)}?`
  return `${kind === 'date' || kind === 'number' ? 'What is the' : 'Which'} ${plain}?${several}`
}

export const capital = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
export const spaced = (name: string): string => words(name).join(' ')
export const shorten = (text: string, length = 80): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text
