import { type Field, readForm } from '@interleave/connect/internal'
import type { Json, Question, TypedQuestion } from '@interleave/core'
import { asking, isDeclined, isObject } from '@interleave/core/internal'
import type { ResumeEntry } from '../handler/runInput.ts'
import { type JsonObject, malformed } from './remoteEvents.ts'

/** A question of a remote agent, as its event has it. */
export interface RemoteInterrupt {
  readonly id: string
  readonly reason: string
  readonly message: string
  readonly schema: JsonObject | undefined
}

const most = { interrupts: 20, text: 10_000 }

/** Reads the questions of an outcome. Throws for a question that cannot be shown. */
export function readInterrupts(agent: string, given: Json | undefined): readonly RemoteInterrupt[] {
  const list = Array.isArray(given) ? given : []
  if (list.length === 0 || list.length > most.interrupts) throw malformed(agent, `${list.length} interrupts at once`)
  return list.map((interrupt) => {
    const { id, reason, message = reason, responseSchema } = isObject(interrupt) ? interrupt : {}
    if (!isShort(id, 500) || !isShort(reason) || !isShort(message))
      throw malformed(agent, 'an interrupt that cannot be shown')
    const schema = isObject(responseSchema) ? responseSchema : undefined
    const shown = shownAs(schema, reason)
    if (typeof shown === 'string') throw malformed(agent, `an interrupt that asks ${shown}`)
    return { id, reason, message, schema }
  })
}

const isShort = (text: unknown, length = most.text): text is string =>
  typeof text === 'string' && text !== '' && text.length <= length

type Entry = Omit<ResumeEntry, 'interruptId'>

/** Converts a question of a remote agent to one of the run. It can be declined, which cancels the interrupt. */
export function toAsking({ reason, message, schema }: RemoteInterrupt, asker: string): TypedQuestion<Entry> {
  const shown = shownAs(schema, reason)
  if (typeof shown === 'string') throw malformed(asker, `an interrupt that asks ${shown}`)
  const { kind, problemWith, toPayload = (reply) => reply } = shown
  const question = { ...kind, prompt: message, asker, declinable: true } as Question
  const { check, engine } = asking<Json>(question)
  return {
    question,
    engine,
    async check(reply) {
      if (isDeclined(reply)) return { ok: true, value: { status: 'cancelled' } }
      const problem = problemWith?.(reply)
      if (problem !== undefined) return { ok: false, message: problem }
      const checked = await check(reply)
      return checked.ok
        ? { ok: true, value: { status: 'resolved', payload: toPayload(checked.value as Json) } }
        : checked
    },
  }
}

type WithoutWords<Q> = Q extends Question ? Omit<Q, 'prompt' | 'asker' | 'declinable'> : never

/** The view of a question, and its reply. */
interface Shown {
  readonly kind: WithoutWords<Question>
  /** Returns what is wrong with a reply to a form. */
  readonly problemWith?: (reply: unknown) => string | undefined
  readonly toPayload?: (reply: Json) => Json
}

const yesOrNo = { kind: 'confirm', yes: 'Yes', no: 'No' } as const

/** Returns the view of a question for this payload, or a description of the payload if it cannot be shown. */
function shownAs(schema: JsonObject | undefined, reason: string): Shown | string {
  if (!schema)
    return { kind: reason === 'confirmation' ? yesOrNo : { kind: 'text', minLength: 0, maxLength: most.text } }
  const { type, properties } = schema
  if (isObject(properties) && isObject(properties.approved)) {
    return { kind: yesOrNo, toPayload: (approved) => ({ approved }) }
  }
  if (type !== 'object') return shownValue(schema)
  const form = readForm(schema)
  return typeof form === 'string'
    ? form
    : { kind: { kind: 'form', schema: form.schema }, problemWith: form.problemWith }
}

/** Returns the view of a payload that is one value: a form with one field. */
function shownValue(schema: JsonObject): Shown | string {
  const { anyOf, oneOf, ...others } = schema
  const read = formOf({ type: 'string', ...schema })
  const form = typeof read === 'string' && takesText(schema) ? formOf({ ...others, type: 'string' }) : read
  if (typeof form === 'string') return form
  const [field] = form.fields
  if (field && field.kind !== 'number') return { kind: kindOf(field) }
  const answerIn = (reply: Json): Json => (isObject(reply) ? (reply.answer as Json) : reply)
  return { kind: { kind: 'form', schema: form.schema }, problemWith: form.problemWith, toPayload: answerIn }
}

const formOf = (answer: JsonObject) => readForm({ properties: { answer }, required: ['answer'] })

/** Returns true if a string is valid, for example for `anyOf` of a string and null. */
const takesText = ({ type, format, anyOf, oneOf }: JsonObject): boolean =>
  format !== 'password' &&
  ([type].flat().includes('string') || [anyOf ?? oneOf].flat().some((each) => isObject(each) && takesText(each)))

function kindOf({ kind, options: given, schema }: Field): WithoutWords<Question> {
  const options = [...given]
  switch (kind) {
    case 'boolean':
      return yesOrNo
    case 'choice':
      return { kind, options }
    case 'choices':
      return { kind, options, min: countOf(schema.minItems, 0), max: countOf(schema.maxItems, options.length) }
    default:
      return { kind: 'text', minLength: countOf(schema.minLength, 0), maxLength: countOf(schema.maxLength, most.text) }
  }
}

const countOf = (given: number | undefined, otherwise: number): number =>
  given !== undefined && given >= 0 ? Math.min(given, most.text) : otherwise
