import type { Ask, Json } from '@interleave/core'
import { isRecord } from '../parts/objects.ts'
import { matchOption, nearestOption } from './matchOption.ts'

/** A reply that a text may have meant, as a button. */
export interface Offered {
  readonly label: string
  readonly reply: Json
}

/** Returns the reply that a typed text is; undefined if it may be something else than an answer. */
export function typedReply(ask: Ask, text: string): Json | undefined {
  const said = text.trim()
  if (ask.declinable && /^(?:skip|cancel|decline)$/i.test(said)) return { $reply: 'declined' }
  switch (ask.kind) {
    case 'choice':
      return matchOption(ask.options, said)?.value
    case 'choices':
      return choicesIn(ask, said)
    case 'confirm':
      return matchOption(yesAndNo(ask), said)?.reply ?? yesOrNo(said)
    case 'text':
      return said.length >= ask.minLength && said.length <= ask.maxLength ? said : undefined
    case 'form':
      return formReply(ask.schema, said)
    case 'link':
      return yesOrNo(said) || /^done\W*$/i.test(said) ? 'done' : undefined
    case 'approval':
      return approvalReply(said)
    case 'extension':
      return extensionReply(ask, said)
  }
}

/** Returns the replies that can be made of a text which is none itself. */
export function offeredReplies(ask: Ask, text: string): readonly Offered[] {
  switch (ask.kind) {
    case 'choice': {
      const nearest = nearestOption(ask.options, text)
      return nearest ? [{ label: `Answer “${nearest.label}”`, reply: nearest.value }] : []
    }
    case 'confirm':
      return yesAndNo(ask).map(({ label, reply }) => ({ label: `Answer “${label}”`, reply }))
    case 'approval':
      return [{ label: 'Refuse, with this reason', reply: { approved: false, reason: text } }]
    default:
      return []
  }
}

type AskOf<Kind extends Ask['kind']> = Extract<Ask, { kind: Kind }>

const yesAndNo = ({ yes, no }: AskOf<'confirm'>) =>
  [
    { value: 'yes', label: yes, reply: true },
    { value: 'no', label: no, reply: false },
  ] as const

function yesOrNo(said: string): boolean | undefined {
  if (/^(?:y|yes|yeah|yep|yup|ok|okay|sure|of course|please do|go ahead|do it)(?:,? please)?\W*$/i.test(said))
    return true
  return /^(?:n|no|nope|nah|don['’]t|do not|never)(?:,? (?:thanks|thank you))?\W*$/i.test(said) ? false : undefined
}

function choicesIn({ options, min, max }: AskOf<'choices'>, said: string): Json | undefined {
  const all = /^(?:all|both|everything)(?: of them)?\W*$/i.test(said)
  const whole = matchOption(options, said)
  const parts = said.split(/\s*(?:[,;&+]|\band\b)\s*/i).filter((part) => part !== '')
  const named = whole ? [whole] : parts.map((part) => matchOption(options, part))
  const values = all ? options.map(({ value }) => value) : named.flatMap((option) => (option ? [option.value] : []))
  const isWhole = all || values.length === named.length
  const chosen = [...new Set(values)]
  return isWhole && chosen.length >= min && chosen.length <= max ? chosen : undefined
}

function approvalReply(said: string): Json | undefined {
  if (/^(?:approve|approved|book it|pay|pay it)\W*$/i.test(said)) return { approved: true }
  if (/^(?:refuse|refused|reject|cancel|stop)\W*$/i.test(said)) return { approved: false }
  const isYes = yesOrNo(said)
  if (isYes !== undefined) return { approved: isYes }
  const [, reason] = /^no[,.:;]\s*(\S.*)$/is.exec(said) ?? []
  return reason === undefined ? undefined : { approved: false, reason }
}

function extensionReply({ suggested }: AskOf<'extension'>, said: string): Json | undefined {
  if (/^\d{1,9}$/.test(said) && Number(said) > 0) return { extend: Number(said) }
  if (/^(?:continue|go on|more)\W*$/i.test(said)) return { extend: suggested }
  if (/^(?:finish|stop|end|enough|end here)\W*$/i.test(said)) return { finish: true }
  const isYes = yesOrNo(said)
  if (isYes === undefined) return undefined
  return isYes ? { extend: suggested } : { finish: true }
}

/** A form of one plain field takes the text as its value. */
function formReply({ properties }: AskOf<'form'>['schema'], said: string): Json | undefined {
  const fields = Object.entries(properties ?? {})
  const [name, schema] = fields[0] ?? []
  if (name === undefined || fields.length !== 1 || !isRecord(schema)) return undefined
  const value = fieldValue(schema, said)
  return value === undefined ? undefined : { [name]: value }
}

function fieldValue(schema: Readonly<Record<string, unknown>>, said: string): Json | undefined {
  if (Array.isArray(schema.enum)) {
    const options = schema.enum.filter((value) => typeof value === 'string')
    return matchOption(
      options.map((value) => ({ value, label: value })),
      said,
    )?.value
  }
  switch (schema.type) {
    case 'boolean':
      return yesOrNo(said)
    case 'integer':
    case 'number':
      return said !== '' && Number.isFinite(Number(said)) ? Number(said) : undefined
    case 'string':
      return schema.contentMediaType === undefined ? said : undefined
    default:
      return undefined
  }
}
