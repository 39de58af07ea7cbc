import type { Ask, Event, Json } from '@interleave/core'
import { textOf } from '../run/messages.ts'

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
