import { capital } from '../../parts/wording.ts'
import type { Candidate } from './candidates.ts'
import { type Choice, choiceOf, plainChoice } from './choices.ts'
import type { Slot } from './slot.ts'
import { shorten, spaced } from './tokenise.ts'
import type { PlannerTool } from './toolbox.ts'

/** A question to the user, in the form that the tool for asking takes. */
export interface Question {
  readonly question: string
  readonly kind: 'choice' | 'choices' | 'confirm' | 'text'
  readonly options?: readonly Choice[]
}

interface MissingSlot {
  readonly tool: PlannerTool
  readonly candidates: readonly Candidate[]
  /** The answer before this one, which did not fit. */
  readonly wrong?: string
}

/** Asks for the value of a slot: as a choice if the schema or an earlier result lists what there is. */
export function questionFor(slot: Slot, { tool, candidates, wrong }: MissingSlot): Question {
  const prefix = wrong === undefined ? '' : `"${shorten(wrong)}" does not fit. `
  const isChoice = slot.kind === 'id' && candidates.length > 1
  const question = `${prefix}${isChoice ? `Which one shall I ${spaced(tool.name)}?` : wording(slot)}`
  if (slot.kind === 'boolean') return { question, kind: 'confirm' }
  const all =
    slot.options.length > 0 ? slot.options.map((option) => plainChoice(String(option))) : choicesOf(candidates)
  const options = [...new Map(all.map((option) => [option.value, option])).values()].slice(0, 25)
  if (options.length < 2) return { question, kind: 'text' }
  return { question, kind: slot.many ? 'choices' : 'choice', options }
}

export const choicesOf = (candidates: readonly Candidate[]): readonly Choice[] =>
  candidates.map((candidate) => choiceOf(candidate, candidates))

/** The slot's own description as a question, else its name. */
function wording({ name, description, kind, many }: Slot): string {
  const plain = spaced(name)
  const several = many ? ' Several are possible, with commas between.' : ''
  if (description) return `${asQuestion(shorten(description.replace(/[.?]$/, ''), 120))}?${several}`
  if (kind === 'boolean') return `${capital(plain)}?`
  return `${kind === 'date' || kind === 'number' ? 'What is the' : 'Which'} ${plain}?${several}`
}

/** "City to leave from" asks "What is the city to leave from", and "How many rooms" asks as it is. */
const asQuestion = (description: string): string =>
  /^(?:how|what|where|when|which|who|whether|is|are|do|does)\b/i.test(description)
    ? capital(description)
    : `What is ${/^(?:the|an?)\b/i.test(description) ? '' : 'the '}${lowerFirst(description)}`

/** Abbreviations stay as they are. */
const lowerFirst = (text: string): string =>
  /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text
