import { type Field, readForm } from '@interleave/connect/internal'
import { AgentError, type Json, type Question, type TypedQuestion } from '@interleave/core'
import { isDeclined, isObject, linkAddress, questionEngine } from '@interleave/core/internal'
import type { JsonObject } from '../client/rpc.ts'

/** The user's answer in the form of the server. */
type Elicited = { readonly action: 'accept'; readonly content?: JsonObject } | { readonly action: 'decline' | 'cancel' }

/** Converts a server's question to a question of the run. Throws if it is invalid. */
export function elicitation(params: JsonObject, asker: string): TypedQuestion<Elicited> {
  const { message, mode, url, requestedSchema } = params
  if (typeof message !== 'string' || message.length > longest)
    throw refused(asker, 'without a `message` that can be shown')
  const common = { asker, declinable: true } as const
  if (mode === 'url') {
    const address = linkAddress(String(url))
    if (!address) throw refused(asker, 'to open an address that is not safe to open')
    return answering({ ...common, kind: 'link', prompt: message, url: address.href }, (reply) =>
      reply === 'done' ? { action: 'accept' } : 'Answer "done".',
    )
  }
  const form = readForm(requestedSchema)
  if (typeof form === 'string') throw refused(asker, form)
  const [only, ...others] = form.fields
  const isSimple = only && others.length === 0
  if (isSimple && only.kind === 'boolean') return yesOrNo(only, `${message}${about(only)}`, common)
  if (isSimple && only.kind === 'choice') return oneOf(only, `${message}${about(only)}`, common)
  return answering(
    { ...common, kind: 'form', prompt: message, schema: form.schema },
    (reply) => form.problemWith(reply) ?? { action: 'accept', content: reply as JsonObject },
  )
}

const longest = 10_000

type Common = Pick<Question, 'asker' | 'declinable'>

const yesOrNo = ({ name }: Field, prompt: string, common: Common): TypedQuestion<Elicited> =>
  answering({ ...common, kind: 'confirm', prompt, yes: 'Yes', no: 'No' }, (reply) =>
    typeof reply === 'boolean' ? { action: 'accept', content: { [name]: reply } } : 'Answer true or false.',
  )

function oneOf({ name, options }: Field, prompt: string, common: Common): TypedQuestion<Elicited> {
  return answering({ ...common, kind: 'choice', prompt, options: [...options] }, (reply) =>
    options.some(({ value }) => value === reply)
      ? { action: 'accept', content: { [name]: reply as string } }
      : 'Choose one of the options.',
  )
}

/** Returns the field's title and description, in case the message does not say what is asked. */
const about = ({ name, schema: { title, description } }: Field): string => `\n\n${description ?? title ?? name}`

/** Creates a question that can be declined. `read` returns the answer, or the problem with the reply. */
function answering(question: Question, read: (reply: unknown) => Elicited | string): TypedQuestion<Elicited> {
  return {
    question,
    engine: questionEngine,
    check(reply) {
      if (isDeclined(reply)) return { ok: true, value: { action: reply.$reply === 'declined' ? 'decline' : 'cancel' } }
      const answer = read(reply)
      return typeof answer === 'string' ? { ok: false, message: answer } : { ok: true, value: answer }
    },
  }
}

const refused = (asker: string, what: string): AgentError =>
  new AgentError('tool_failed', `The MCP server ${asker} asks ${what}. The question is not shown to the user.`)

/** Returns the questions of a result in a fixed order, so that they have the same numbers after a reload. */
export function questionsIn(
  requests: Json | undefined,
  asker: string,
): readonly (readonly [string, TypedQuestion<Elicited>])[] {
  if (!isObject(requests)) return []
  const keys = Object.keys(requests).sort()
  checkNumber(keys.length, asker)
  return keys.map((key) => {
    const request = requests[key]
    if (!isObject(request) || request.method !== 'elicitation/create' || !isObject(request.params))
      throw refused(asker, 'for input of an unknown kind')
    return [key, elicitation(request.params, asker)]
  })
}

/** Throws if a call has more open questions than a user could answer. */
export function checkNumber(questions: number, asker: string): void {
  if (questions > 20) throw refused(asker, `${questions} questions at once`)
}
