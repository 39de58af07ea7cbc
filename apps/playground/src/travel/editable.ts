import type { Ask, Event, Json, RunState } from '@interleave/core'
import { messageOf } from '@interleave/core/internal'
import type { ForkEdit } from '@interleave/core/journal'
import { fold } from '@interleave/core/observe'
import { counted, duration, toolWords } from '../parts/wording.ts'
import { textOf } from '../run/messages.ts'

/** The edit that was typed, or the reason why it is invalid. An unchanged text is no edit. */
type ReadEdit =
  | { readonly ok: true; readonly edit: ForkEdit | undefined }
  | { readonly ok: false; readonly problem: string }

/** Returns the content of an event as the text of a field. */
export const toField = (editable: Editable): string =>
  editable.type === 'message' ? editable.text : valueText(editable.type === 'reply' ? editable.value : editable.output)

const valueText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

/** Reads the edited value: a text stays a text, and anything else is JSON. */
export function readEdit(editable: Editable, field: string): ReadEdit {
  if (field === toField(editable)) return { ok: true, edit: undefined }
  if (editable.type === 'message')
    return field.trim()
      ? { ok: true, edit: { content: field.trim() } }
      : { ok: false, problem: 'The message has no text.' }
  const before = editable.type === 'reply' ? editable.value : editable.output
  const read = typeof before === 'string' ? { ok: true as const, value: field } : parsed(field)
  if (!read.ok) return read
  return { ok: true, edit: editable.type === 'reply' ? { value: read.value } : { output: read.value } }
}

function parsed(
  field: string,
): { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly problem: string } {
  try {
    return { ok: true, value: JSON.parse(field) as Json }
  } catch (error) {
    return { ok: false, problem: `This is no JSON: ${messageOf(error)}` }
  }
}

/** Describes the model and tool calls that a fork from an event repeats. */
export function repeatedWork(events: readonly Event[], at: number): string {
  const after = events.filter(({ seq }) => seq > at)
  const thoughts = after.flatMap((event) => (event.type === 'thought' ? [event] : []))
  const calls = after.flatMap((event) => (event.type === 'claimed' ? [toolWords(toolOf(events, event.call))] : []))
  if (thoughts.length === 0 && calls.length === 0) return nothingRepeated(fold(events.slice(0, at + 1)))
  const ms = thoughts.reduce((sum, thought) => sum + thought.ms, 0)
  const parts = [
    ...(thoughts.length > 0 ? [`${counted(thoughts.length, 'model call')} (${duration(ms)})`] : []),
    ...(calls.length > 0 ? [`${counted(calls.length, 'tool call')} (${listOf(calls)})`] : []),
  ]
  return `After this, ${parts.join(' and ')} followed. The new run makes its own.`
}

const nothingRepeated = ({ signal }: RunState): string =>
  signal
    ? 'No call is made again: the new run waits here, too, until you send a message or an answer.'
    : 'The new run continues from here at once.'

/** Lists each name once, with its count. */
function listOf(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, times]) => (times === 1 ? name : `${name} ${times} times`)).join(', ')
}

/** The content of an event that a fork can change. */
export type Editable = EditableMessage | EditableObservation | EditableReply

export interface EditableMessage {
  readonly type: 'message'
  readonly text: string
}
export interface EditableObservation {
  readonly type: 'observation'
  readonly tool: string
  readonly output: Json
}
export interface EditableReply {
  readonly type: 'reply'
  readonly ask: Ask
  readonly value: Json
}

/** Returns the content of an event that a fork can change; undefined if there is none. */
export function editable(events: readonly Event[], seq: number): Editable | undefined {
  const event = events[seq]
  switch (event?.type) {
    case 'said':
      return { type: 'message', text: textOf(event.content) }
    case 'observed':
      return { type: 'observation', tool: toolOf(events, event.call), output: event.output ?? shownTo(event.result) }
    case 'replied': {
      const asked = events.findLast((one) => one.type === 'asked' && one.ask.id === event.ask && one.seq < seq)
      return asked?.type === 'asked' ? { type: 'reply', ask: asked.ask, value: event.value } : undefined
    }
    default:
      return undefined
  }
}

/** The name of the tool that a call such as `3/tool/0` calls. */
export function toolOf(events: readonly Event[], call: string): string {
  const [turn, , place] = call.split('/')
  const thought = events.find((event) => event.type === 'thought' && event.iteration === Number(turn))
  if (thought?.type !== 'thought') return call
  const calls = thought.parts.filter((part) => part.type === 'tool-call')
  return calls.filter((part) => !part.providerExecuted)[Number(place)]?.toolName ?? call
}

type Result = Extract<Event, { type: 'observed' }>['result']

const shownTo = (result: Result): Json =>
  result.type === 'execution-denied' ? (result.reason ?? '') : (result.value as Json)
