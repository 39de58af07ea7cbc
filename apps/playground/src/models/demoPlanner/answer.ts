import type { Candidate } from './candidates.ts'
import { plainLabel } from './choices.ts'
import { emails, numbers, urls } from './mention.ts'
import type { Slot } from './slot.ts'
import { isAllowed } from './takeNumber.ts'
import { dates } from './textReader.ts'
import { unitMentions } from './units.ts'

interface Answering {
  readonly candidates: readonly Candidate[]
  readonly now: Date
}

/** The user's answer to a question as the value of the slot, or undefined when it does not fit. */
export function toAnswer(given: unknown, slot: Slot, answering: Answering): unknown {
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
