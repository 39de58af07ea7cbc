import { AgentError, messageOf } from '../error.ts'
import { toJson } from '../json.ts'
import type { ExternalEvent } from './externalAgent.ts'

type Fields = Readonly<Record<string, 'text' | 'count' | 'flag' | 'json'>>

/** The fields of each event. A name that ends in `?` is optional. */
const fields: { readonly [Type in ExternalEvent['type']]: Fields } = {
  session: { id: 'text' },
  text: { delta: 'text' },
  reasoning: { delta: 'text' },
  toolCall: { id: 'text', name: 'text', input: 'json' },
  toolResult: { id: 'text', output: 'json', 'isError?': 'flag' },
  usage: { input: 'count', output: 'count', 'cachedInput?': 'count' },
  done: { 'output?': 'json' },
  error: { message: 'text', 'retryable?': 'flag' },
}

/** An event as it came from elsewhere, or a failure that says what is wrong with it. */
export function readExternalEvent(agent: string, given: unknown): ExternalEvent {
  const event = (given ?? {}) as Record<string, unknown>
  const { type } = event
  const known =
    typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type as ExternalEvent['type']] : undefined
  if (!known) throw malformed(agent, `an event of the unknown type ${JSON.stringify(type) ?? 'undefined'}`)
  const read: Record<string, unknown> = { type }
  for (const [field, kind] of Object.entries(known)) {
    const name = field.replace('?', '')
    const value = event[name]
    if (value === undefined && name !== field) continue
    if (!isOf(kind, value)) throw malformed(agent, `an event "${type}" whose "${name}" is no ${kind}`)
    read[name] = kind === 'json' ? plain(agent, value) : value
  }
  return read as unknown as ExternalEvent
}

function isOf(kind: Fields[string], value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'flag') return typeof value === 'boolean'
  return kind === 'json' ? value !== undefined : Number.isFinite(value) && (value as number) >= 0
}

function plain(agent: string, value: unknown): unknown {
  try {
    return toJson(value)
  } catch (error) {
    throw malformed(agent, `an event that is not plain data (${messageOf(error)})`)
  }
}

export const malformed = (agent: string, what: string): AgentError =>
  new AgentError('model_malformed', `The external agent "${agent}" sent ${what}.`)
