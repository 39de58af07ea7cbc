import { checkArgument, checkOptions, DEV } from '#checks'
import { assertOption } from '../../options.ts'
import { checkReply, type Declined, isDeclined, type Option, type Question } from '../../question.ts'
import { compileSchema, type JsonSchema, type Schema, whenLoaded } from '../../schema.ts'
import type { QuestionEngine, TypedQuestion } from '../../typedQuestion.ts'
import { questionEngine } from './engine.ts'

type OptionInput<V extends string> = V | (Partial<Option> & { readonly value: V })

/** Asks for one of several options. */
export function choice<const V extends string>(question: {
  prompt: string
  options: readonly OptionInput<V>[]
}): TypedQuestion<V> {
  checkOptions('choice()', question, ['prompt', 'options'])
  return asking({ kind: 'choice', prompt: question.prompt, options: toOptions(question.options) })
}

/** Asks for any number of several options, between `min` (default 0) and `max` (default all). */
export function choices<const V extends string>(question: {
  prompt: string
  options: readonly OptionInput<V>[]
  min?: number
  max?: number
}): TypedQuestion<readonly V[]> {
  checkOptions('choices()', question, ['prompt', 'options', 'min', 'max'])
  const options = toOptions(question.options)
  const { prompt, min = 0, max = options.length } = question
  assertOption(
    min <= Math.min(max, options.length),
    DEV && `choices({ min: ${min}, max: ${max} }) with ${options.length} options has no answer. Use a smaller \`min\`.`,
  )
  return asking({ kind: 'choices', prompt, options, min, max })
}

/** Asks for yes or no. `yes` and `no` are the words of the buttons; “Yes” and “No” by default. */
export function confirm(question: { prompt: string; yes?: string; no?: string }): TypedQuestion<boolean> {
  checkOptions('confirm()', question, ['prompt', 'yes', 'no'])
  const { prompt, yes = 'Yes', no = 'No' } = question
  return asking({ kind: 'confirm', prompt, yes, no })
}

/** Asks for free text of at most `maxLength` characters; 10,000 by default. */
export function text(question: {
  prompt: string
  placeholder?: string
  multiline?: boolean
  minLength?: number
  maxLength?: number
}): TypedQuestion<string> {
  checkOptions('text()', question, ['prompt', 'placeholder', 'multiline', 'minLength', 'maxLength'])
  const { minLength = 0, maxLength = 10_000, ...rest } = question
  assertOption(
    minLength <= maxLength,
    DEV &&
      `text({ minLength: ${minLength}, maxLength: ${maxLength} }) has no answer. Use a smaller \`minLength\` or a larger \`maxLength\`.`,
  )
  return asking({ kind: 'text', ...rest, minLength, maxLength })
}

/**
 * Asks for several fields, from any Standard Schema. The fields are rendered from its JSON Schema, and the reply is the
 * schema's own output. A string with `contentMediaType` is rendered as a file to pick.
 */
export function form<T>(question: { prompt: string; schema: Schema<T> }): TypedQuestion<T> {
  checkOptions('form()', question, ['prompt', 'schema'])
  const compiled = compileSchema(question.schema, `The form "${question.prompt}"`)
  const toQuestion = (schema: JsonSchema): Question => ({ kind: 'form', prompt: question.prompt, schema })
  return {
    question: whenLoaded(compiled.json, toQuestion),
    check: (reply) => compiled.check(reply),
    engine: questionEngine,
  }
}

/** Sends the user to an address until they confirm that it is done. Accepts `https:`, and `http:` for this machine. */
export function link(question: { prompt: string; url: string | URL }): TypedQuestion<'done'> {
  checkOptions('link()', question, ['prompt', 'url'])
  const { prompt, url } = question
  const address = linkAddress(String(url))
  assertOption(
    address,
    DEV && `The \`url\` of link() is "${url}". Give a whole address with https: and without a password.`,
  )
  return asking({ kind: 'link', prompt, url: address.href })
}

/** Returns an address that a user may be sent to; undefined for others, such as `javascript:`. */
export function linkAddress(written: string): URL | undefined {
  if (written.length > 4_000 || !URL.canParse(written)) return undefined
  const url = new URL(written)
  const isLocal = url.protocol === 'http:' && /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname)
  return (url.protocol === 'https:' || isLocal) && url.username === '' && url.password === '' ? url : undefined
}

/** Lets the user decline a question: the answer is then `{ $reply: 'declined' }`, or `'cancelled'`. */
export function declinable<T>(asked: TypedQuestion<T>): TypedQuestion<T | Declined> {
  checkArgument(asked, 'question of declinable()', 'an object with check(), such as that of confirm')
  const { question, check, engine } = asked
  const change = (plain: Question): Question => ({ ...plain, declinable: true })
  return {
    question: 'then' in question ? question.then(change) : change(question),
    check: (reply) => (isDeclined(reply) ? { ok: true, value: reply } : check(reply)),
    engine,
  }
}

/** Makes a typed question that is validated by its own data alone. */
export function asking<T>(question: Question, engine: QuestionEngine = questionEngine): TypedQuestion<T> {
  return { question, check: (reply) => checkReply(question, reply), engine }
}

function toOptions<V extends string>(options: readonly OptionInput<V>[]): Option[] {
  assertOption(options?.length > 0, DEV && 'A choice without options cannot be answered. Give it one at least.')
  const values = new Set<string>()
  return options.map((option) => {
    const given: OptionInput<V> & object = Object(typeof option === 'string' ? { value: option } : option)
    const { value, label = value, ...others } = given
    assertOption(
      (value as string) !== '',
      DEV && 'An option has an empty `value`. Give each option a `value` of its own.',
    )
    assertOption(
      !values.has(value),
      DEV && `Two options have the \`value\` "${value}". Give each option a \`value\` of its own.`,
    )
    values.add(value)
    return { value, label, ...others }
  })
}
