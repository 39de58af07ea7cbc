import { DEV } from '#checks'
import { AgentError } from './error.ts'
import { isObject, type Json } from './json.ts'
import type { Checked, JsonSchema } from './schema.ts'

/** A question for a user as plain JSON, sufficient to render it and to validate the reply. */
export type Question =
  | ChoiceQuestion
  | ChoicesQuestion
  | ConfirmQuestion
  | TextQuestion
  | FormQuestion
  | LinkQuestion
  | ApprovalQuestion
  | ExtensionQuestion

interface Prompted {
  readonly prompt: string
  /** The service that asks, if it is not the agent itself, such as the host of an MCP server. */
  readonly asker?: string
  /** Set if it asks what should happen with a call, or a child run, that was cut off and may have run. */
  readonly about?: 'interruption'
  /** The reply may also be a `Declined`. */
  readonly declinable?: true
}
/** One of the options of a question. The reply is its `value`. */
export interface Option {
  readonly value: string
  readonly label: string
  /** A line below the label. */
  readonly description?: string
  /** A short fact at the end of the line, such as a price. */
  readonly detail?: string
  /** A mark that sets it apart, such as `Cheapest`. */
  readonly badge?: string
}
interface ChoiceQuestion extends Prompted {
  readonly kind: 'choice'
  readonly options: readonly Option[]
  /** The tool. The question closes by itself once a page connects that can execute it. */
  readonly pageFor?: string
}
interface ChoicesQuestion extends Prompted {
  readonly kind: 'choices'
  readonly options: readonly Option[]
  readonly min: number
  readonly max: number
}
interface ConfirmQuestion extends Prompted {
  readonly kind: 'confirm'
  readonly yes: string
  readonly no: string
}
interface TextQuestion extends Prompted {
  readonly kind: 'text'
  readonly placeholder?: string
  readonly multiline?: boolean
  readonly minLength: number
  readonly maxLength: number
}
interface FormQuestion extends Prompted {
  readonly kind: 'form'
  readonly schema: JsonSchema
}
/** An action at an address, such as a payment. The reply confirms it. */
interface LinkQuestion extends Prompted {
  readonly kind: 'link'
  readonly url: string
}
/** Asks whether a call may run. The input shown is the one that was validated; the reply may change it. */
interface ApprovalQuestion extends Prompted {
  readonly kind: 'approval'
  readonly tool: string
  readonly input: Json
  readonly schema: JsonSchema
  /** The agent that calls the tool, if a router or a graph handed the run to it. */
  readonly agent?: string
  /** True if the tool only reads: its effect is `readOnly`. */
  readonly readOnly?: true
  /** The description of the tool. */
  readonly description?: string
  /** The most that a reply may allow for later calls: nothing, or the same input. All calls of the tool without it. */
  readonly remember?: 'never' | 'input'
  /** Inputs count as the same if they have the same values of these keys. */
  readonly rememberBy?: readonly string[]
  /** True if a reply may allow them for good, in other runs too. */
  readonly persistent?: true
}
/** Asks whether to extend a limit that is reached, or to finish. */
interface ExtensionQuestion extends Prompted {
  readonly kind: 'extension'
  readonly limit: string
  readonly used: number
  readonly allowed: number
  readonly suggested: number
  /** The effect of finishing: the model answers with what it has, in one last turn. Without it the run simply ends. */
  readonly finish?: 'answer'
}

/** Later calls that are allowed too: all of the tool, or those with the same input. */
export type PermissionScope = 'tool' | 'input'
/**
 * The reply to an approval: yes, optionally with another input, and optionally always, in this run or for good; or no,
 * with a reason that the model reads.
 */
export type ApprovalReply<Input = Json> =
  | {
      readonly approved: true
      readonly input?: Input
      /**
       * The prompt that the user has read. If that of the input is another one, the reply is rejected with
       * `approval_changed`, and the message of the error is the prompt to read.
       */
      readonly prompt?: string
      readonly remember?: PermissionScope
      readonly persistent?: true
    }
  | { readonly approved: false; readonly reason?: string }
/** The reply to a limit: an amount to add, or the end of the run. */
export type ExtensionReply = { readonly extend: number } | { readonly finish: true }

/** The reply of a user who says no, or does not want to answer at all. No form has a member of this name. */
export interface Declined {
  readonly $reply: 'declined' | 'cancelled'
}

export const isDeclined = (reply: unknown): reply is Declined =>
  isObject(reply) && (reply.$reply === 'declined' || reply.$reply === 'cancelled')

/** Returns the id of a question or of an id itself. Throws if there is none. */
export function askId(ask: Pick<Ask, 'id'> | string): string {
  const given: unknown = ask
  const id = isObject(given) ? given.id : given
  if (typeof id === 'string') return id
  throw new AgentError('ask_unknown', DEV && 'reply() needs an open question, such as run.state.asks[0], or its id.')
}

/** The reply type of each kind of question. */
export interface Replies {
  choice: string
  choices: readonly string[]
  confirm: boolean
  text: string
  form: Json
  link: 'done'
  approval: ApprovalReply
  extension: ExtensionReply
}

/** An open question of a run. `id` is positional, so it is the same after a reload. */
export type Ask = Question & {
  readonly id: string
  /** The tool call that asks, if there is one. */
  readonly call?: string
  /** The child run that asks, if there is one. `id` is then the path to it and its own id, separated by `>`. */
  readonly from?: Origin
}
/** The subject of a question of a call: the call itself, or something that its function wants to know. */
export type Topic = 'approval' | 'interruption' | 'own' | 'page' | 'child'

export function topicOf({ kind, about, from, ...ask }: Ask): Topic {
  if (from) return 'child'
  if (kind === 'approval') return kind
  return about ?? ('pageFor' in ask ? 'page' : 'own')
}

/** A child run that asks. */
interface Origin {
  readonly runId: string
  readonly agent: string
  /** The tools by which it and its ancestors were called, the outermost first; the agent's name for a run that no tool called. */
  readonly via?: readonly string[]
}
/** The type of the reply to a question. If only the question's id is known, the reply is checked at run time alone. */
export type ReplyTo<Q extends { readonly kind: keyof Replies } | string> = Q extends {
  readonly kind: 'approval'
  readonly input: infer Input
}
  ? ApprovalReply<Input>
  : Q extends { readonly kind: keyof Replies }
    ? Replies[Q['kind']]
    : unknown

/** Validates a reply against plain data. The schema of a form is checked where the form was created. */
export function checkReply(question: Question, reply: unknown): Checked {
  const problem = question.declinable && isDeclined(reply) ? undefined : problemWith(question, reply)
  if (problem) return { ok: false, message: problem }
  // The prompt of an edited input is known where the tool is.
  const isAsShown = question.kind === 'approval' && Object(reply).input === undefined
  return isAsShown ? checkPrompt(reply, question.prompt) : { ok: true, value: reply }
}

/**
 * Asks for the prompt of an edited input, and decides nothing: a reply that is always rejected, with `approval_changed`
 * and the prompt as its message. A host that does not know it rejects it too.
 */
export interface PromptRequest {
  readonly preview: Json
}

export const isPromptRequest = (reply: unknown): reply is PromptRequest =>
  isObject(reply) && reply.approved === undefined && reply.preview !== undefined

/** Rejects the approval of another prompt than the input's. */
export function checkPrompt(reply: unknown, prompt: string): Checked {
  const { approved, prompt: read = prompt }: { readonly approved?: unknown; readonly prompt?: unknown } = Object(reply)
  return approved !== true || read === prompt
    ? { ok: true, value: reply }
    : { ok: false, code: 'approval_changed', message: prompt }
}

function problemWith(question: Question, reply: unknown): string | undefined {
  switch (question.kind) {
    case 'choice':
      return isOption(question, reply) ? undefined : `Choose one of ${listOf(question)}.`
    case 'choices':
      return problemWithChoices(question, reply)
    case 'confirm':
      return typeof reply === 'boolean' ? undefined : 'Answer true or false.'
    case 'text':
      return problemWithText(question, reply)
    case 'form':
      return reply === undefined ? 'Fill in the form.' : undefined
    case 'link':
      return reply === 'done' ? undefined : 'Answer "done".'
    case 'approval':
      return problemWithApproval(question, reply)
    case 'extension':
      return readExtensionReply(reply) ? undefined : extensionAdvice
  }
}

function problemWithChoices(question: ChoicesQuestion, reply: unknown): string | undefined {
  if (!Array.isArray(reply) || !reply.every((value) => isOption(question, value)))
    return `Choose from ${listOf(question)}.`
  if (new Set(reply).size !== reply.length) return 'Choose each option at most once.'
  if (reply.length < question.min) return `Choose at least ${question.min}.`
  return reply.length > question.max ? `Choose at most ${question.max}.` : undefined
}

function problemWithText({ minLength, maxLength }: TextQuestion, reply: unknown): string | undefined {
  if (typeof reply !== 'string') return 'Answer with text.'
  if (reply.length < minLength) return `Write at least ${minLength} characters.`
  return reply.length > maxLength ? `Write at most ${maxLength} characters.` : undefined
}

/** Returns true if a reply to this question may allow later calls in this way. */
export const mayRemember = ({ remember }: Pick<ApprovalQuestion, 'remember'>, scope: unknown): boolean =>
  scope === 'input' ? remember !== 'never' : scope === 'tool' && remember === undefined

function problemWithApproval(question: ApprovalQuestion, reply: unknown): string | undefined {
  if (!isObject(reply) || typeof reply.approved !== 'boolean') return 'Answer { approved: true | false }.'
  const { approved, remember, persistent, prompt } = reply
  if (prompt !== undefined && typeof prompt !== 'string') return '`prompt` must be the text that the user has read.'
  if (remember === undefined && persistent === undefined) return undefined
  const mayPersist = persistent === undefined || (persistent === true && question.persistent)
  if (approved && mayPersist && mayRemember(question, remember)) return undefined
  return `This answer cannot have \`remember\`: ${JSON.stringify(remember)}${persistent ? ' with `persistent`' : ''}. Omit it to answer for this call alone.`
}

export const extensionAdvice = 'Answer { extend: a number above 0 } or { finish: true }.'

/** Reads a reply to a limit, which has one of the two members. Undefined if it has both, or another value. */
export function readExtensionReply(reply: unknown): ExtensionReply | undefined {
  if (!isObject(reply)) return undefined
  const { extend, finish } = reply
  if (finish === true && extend === undefined) return { finish }
  const fits = finish === undefined && typeof extend === 'number' && extend > 0 && Number.isFinite(extend)
  return fits ? { extend } : undefined
}

const isOption = ({ options }: { options: readonly Option[] }, value: unknown): boolean =>
  options.some((option) => option.value === value)
const listOf = ({ options }: { options: readonly Option[] }): string =>
  options.map(({ value }) => JSON.stringify(value)).join(', ')
