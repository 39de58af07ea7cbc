import type { Json } from './json.ts'
import { type Checked, compileSchema, type JsonSchema, type Schema } from './schema.ts'

/** A question for a person, as plain JSON: enough for any surface to render it and to check the reply. */
export type Question =
  | ChoiceQuestion
  | ChoicesQuestion
  | ConfirmQuestion
  | TextQuestion
  | FormQuestion
  | ApprovalQuestion
  | ExtensionQuestion

interface Prompted {
  readonly prompt: string
}
export interface Option {
  readonly value: string
  readonly label: string
  readonly description?: string
}
export interface ChoiceQuestion extends Prompted {
  readonly kind: 'choice'
  readonly options: readonly Option[]
}
export interface ChoicesQuestion extends Prompted {
  readonly kind: 'choices'
  readonly options: readonly Option[]
  readonly min: number
  readonly max: number
}
export interface ConfirmQuestion extends Prompted {
  readonly kind: 'confirm'
  readonly yes: string
  readonly no: string
}
export interface TextQuestion extends Prompted {
  readonly kind: 'text'
  readonly placeholder?: string
  readonly multiline?: boolean
  readonly minLength: number
  readonly maxLength: number
}
export interface FormQuestion extends Prompted {
  readonly kind: 'form'
  readonly schema: JsonSchema
}
/** May this call run? The input shown is the one that was validated; the reply may change it. */
export interface ApprovalQuestion extends Prompted {
  readonly kind: 'approval'
  readonly tool: string
  readonly input: Json
  readonly schema: JsonSchema
}
/** A limit is reached: go on for longer, or end here? */
export interface ExtensionQuestion extends Prompted {
  readonly kind: 'extension'
  readonly limit: string
  readonly used: number
  readonly allowed: number
  readonly suggested: number
}

export type ApprovalReply =
  | { readonly approved: true; readonly input?: Json }
  | { readonly approved: false; readonly reason?: string }
export type ExtensionReply = { readonly extend: number } | { readonly finish: true }

/** What a reply to each kind of question is. */
export interface Replies {
  choice: string
  choices: readonly string[]
  confirm: boolean
  text: string
  form: Json
  approval: ApprovalReply
  extension: ExtensionReply
}

/** An open question of a run. `id` is positional, so it is the same after a reload. */
export type Ask = Question & {
  readonly id: string
  /** The tool call that asks, where one does. */
  readonly call?: string
}
export type ReplyTo<Q extends { readonly kind: keyof Replies }> = Replies[Q['kind']]

/** A question together with the type of its answer. What `choice`, `confirm`, `form` and the others make. */
export interface Asking<T> {
  readonly question: Question | PromiseLike<Question>
  /** Turns a reply of any origin into the typed answer, or says what is wrong with it. */
  check(reply: unknown): Checked | PromiseLike<Checked>
  /** For inference only; never set. */
  readonly answer?: T
}

type OptionInput<V extends string> = V | { readonly value: V; readonly label?: string; readonly description?: string }

/** One of several. */
export function choice<const V extends string>(question: {
  prompt: string
  options: readonly OptionInput<V>[]
}): Asking<V> {
  return asking({ kind: 'choice', prompt: question.prompt, options: toOptions(question.options) })
}

/** Any number of several, between `min` (default 0) and `max` (default all). */
export function choices<const V extends string>(question: {
  prompt: string
  options: readonly OptionInput<V>[]
  min?: number
  max?: number
}): Asking<readonly V[]> {
  const { prompt, min = 0, max = question.options.length } = question
  return asking({ kind: 'choices', prompt, options: toOptions(question.options), min, max })
}

/** Yes or no. */
export function confirm(question: { prompt: string; yes?: string; no?: string }): Asking<boolean> {
  const { prompt, yes = 'Yes', no = 'No' } = question
  return asking({ kind: 'confirm', prompt, yes, no })
}

/** Free text. At most 10,000 characters unless `maxLength` says otherwise. */
export function text(question: {
  prompt: string
  placeholder?: string
  multiline?: boolean
  minLength?: number
  maxLength?: number
}): Asking<string> {
  const { minLength = 0, maxLength = 10_000, ...rest } = question
  return asking({ kind: 'text', ...rest, minLength, maxLength })
}

/**
 * Several fields at once, from any Standard Schema. The fields are rendered from its JSON Schema, and the answer is the
 * schema's own output. A string with `contentMediaType` is rendered as a file to pick.
 */
export function form<T>(question: { prompt: string; schema: Schema<T> }): Asking<T> {
  const compiled = compileSchema(question.schema, `The form "${question.prompt}"`)
  const toQuestion = (schema: JsonSchema): Question => ({ kind: 'form', prompt: question.prompt, schema })
  const { json } = compiled
  return {
    question: 'then' in json ? json.then(toQuestion) : toQuestion(json),
    check: (reply) => compiled.check(reply),
  }
}

/** A question that is checked by its own data alone. */
export function asking<T>(question: Question): Asking<T> {
  return { question, check: (reply) => checkReply(question, reply) }
}

const toOptions = <V extends string>(options: readonly OptionInput<V>[]): Option[] =>
  options.map((option) =>
    typeof option === 'string' ? { value: option, label: option } : { label: option.value, ...option },
  )

/** Whether a reply fits a question, as far as plain data can tell. A form's schema is checked where the form was made. */
export function checkReply(question: Question, reply: unknown): Checked {
  const complaint = complaintAbout(question, reply)
  return complaint ? { ok: false, message: complaint } : { ok: true, value: reply }
}

function complaintAbout(question: Question, reply: unknown): string | undefined {
  switch (question.kind) {
    case 'choice':
      return isOption(question, reply) ? undefined : `Choose one of ${listOf(question)}.`
    case 'choices':
      return complaintAboutChoices(question, reply)
    case 'confirm':
      return typeof reply === 'boolean' ? undefined : 'Answer true or false.'
    case 'text':
      return complaintAboutText(question, reply)
    case 'form':
      return reply === undefined ? 'Fill in the form.' : undefined
    case 'approval':
      return isRecord(reply) && typeof reply.approved === 'boolean' ? undefined : 'Answer { approved: true | false }.'
    case 'extension':
      return complaintAboutExtension(reply)
  }
}

function complaintAboutChoices(question: ChoicesQuestion, reply: unknown): string | undefined {
  if (!Array.isArray(reply) || !reply.every((value) => isOption(question, value)))
    return `Choose from ${listOf(question)}.`
  if (new Set(reply).size !== reply.length) return 'Choose each option at most once.'
  if (reply.length < question.min) return `Choose at least ${question.min}.`
  return reply.length > question.max ? `Choose at most ${question.max}.` : undefined
}

function complaintAboutText({ minLength, maxLength }: TextQuestion, reply: unknown): string | undefined {
  if (typeof reply !== 'string') return 'Answer with text.'
  if (reply.length < minLength) return `Write at least ${minLength} characters.`
  return reply.length > maxLength ? `Write at most ${maxLength} characters.` : undefined
}

function complaintAboutExtension(reply: unknown): string | undefined {
  if (isRecord(reply) && reply.finish === true) return undefined
  const fits = isRecord(reply) && typeof reply.extend === 'number' && reply.extend > 0 && Number.isFinite(reply.extend)
  return fits ? undefined : 'Answer { extend: a number above 0 } or { finish: true }.'
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
const isOption = ({ options }: { options: readonly Option[] }, value: unknown): boolean =>
  options.some((option) => option.value === value)
const listOf = ({ options }: { options: readonly Option[] }): string =>
  options.map(({ value }) => JSON.stringify(value)).join(', ')
