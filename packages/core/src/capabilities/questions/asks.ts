import { DEV } from '#checks'
import { canonicalJson, isObject, toJson } from '../../json.ts'
import { assertOption } from '../../options.ts'
import type { Ask } from '../../question.ts'
import { hasMember, latestKeys } from '../../record.ts'
import { hasNote, holderOf, isOfOnce, questionOf, type RunState } from '../../state.ts'
import type { QuestionDesk } from '../../typedQuestion.ts'

/** Yields the ids under which a call, or the run itself, has asked a question of this key, the newest first. */
export function* idsOf(state: RunState, key: string, call: string | undefined): Generator<string, void> {
  const holder = holderOf(state, call)
  // A question replaces one of its key, or a result of `once`.
  if (!hasMember(holder, 'questions', key) && !isOfOnce(key, call)) return
  for (const id of latestKeys(holder, 'questions'))
    if (id === key || (id.startsWith(key) && keyOf(id) === key)) yield id
}

/**
 * Returns the id under which this very question was asked before: a reply belongs to the question that was shown.
 * Undefined if it was never asked under this key, or only with another prompt, input or schema. In a call only the
 * latest question of a key counts, because a user who has answered another one since may have changed their mind.
 */
export function idOf(asked: Ask, state: RunState): string | undefined {
  let canonical: string | undefined
  for (const id of idsOf(state, asked.id, asked.call)) {
    canonical ??= contentOf(asked)
    if (isPast(state, asked, id)) return undefined
    if (contentOf(questionOf(state, id, asked.call) as Ask) === canonical) return id
    if (asked.call !== undefined) return undefined
  }
  return undefined
}

/**
 * Returns true for the question about an earlier interruption of a call, which has begun again since: the reply to that
 * one says nothing about the next.
 */
const isPast = (state: RunState, { about, call }: Ask, id: string): boolean =>
  about === 'interruption' && !hasNote(state, id, call) && !state.asks.some((open) => open.id === id)

/** Returns the id of a question that replaces another one, so that no answer to the old one reaches it. */
export const replacing = (key: string, seq: number): string => `${key}~re${seq}`

/** Returns the key of a question: its id without the suffix of a repeated question. */
export const keyOf = (id: string): string => id.replace(/~re\d+$/, '')

const contentOf = ({ id: _, ...question }: Ask): string => canonicalJson(toJson(question))

/** Returns the question. Throws if it could not be read back, since the whole run would then be unreadable. */
export function checkQuestion(ask: Ask, engine?: QuestionDesk['log']['engine']): Ask {
  const wrong = invalidPathOfAsk({ ...ask }) ?? engine?.invalidPathOf({ type: 'asked', ask })
  assertOption(wrong === undefined, DEV && `This question cannot be asked: it has a wrong or missing "${wrong}".`)
  return ask
}

/** The members of each kind of question, and their types. `validate/shapes.ts` has the same rules for logs. */
const membersOf: Readonly<Record<Ask['kind'], Readonly<Record<string, 'string' | 'number' | 'object'>>>> = {
  choice: { options: 'object' },
  choices: { options: 'object', min: 'number', max: 'number' },
  confirm: {},
  text: {},
  form: { schema: 'object' },
  link: { url: 'string' },
  approval: { tool: 'string', schema: 'object' },
  extension: { limit: 'string', used: 'number', allowed: 'number', suggested: 'number' },
}

/** Returns the path to the first invalid member of a question. */
function invalidPathOfAsk(ask: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof ask.prompt !== 'string') return 'prompt'
  const kind = String(ask.kind)
  if (!Object.hasOwn(membersOf, kind)) return 'kind'
  for (const [name, type] of Object.entries(membersOf[kind as Ask['kind']])) {
    // JSON turns an infinite number into null.
    const fits = ask[name] === null ? type === 'number' : typeof ask[name] === type
    if (!fits) return name
  }
  return ask.options === undefined ? undefined : invalidPathOfOptions(ask.options)
}

function invalidPathOfOptions(options: unknown): string | undefined {
  if (!Array.isArray(options)) return 'options'
  for (const [index, option] of options.entries()) {
    if (!isObject(option)) return `options.${index}`
    const { value, label, description = '', detail = '', badge = '' } = option
    for (const [name, words] of Object.entries({ value, label, description, detail, badge }))
      if (typeof words !== 'string') return `options.${index}.${name}`
  }
  return undefined
}
