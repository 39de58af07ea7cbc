import type { Event, RunState } from '@interleave/core'
import { type EventOf, fold } from '@interleave/core/observe'
import { type ReactNode, useState } from 'react'
import { JsonText } from './parts.tsx'
import { counted, wordsOf } from './wording.ts'

const most = 30

/** The messages of a prompt, the latest of many. */
export function MessageList({ messages }: { messages: readonly ShownMessage[] }): ReactNode {
  const [showsAll, showAll] = useState(false)
  const hidden = showsAll ? 0 : Math.max(0, messages.length - most)
  return (
    <>
      {hidden > 0 && (
        <button type="button" data-part="button" onClick={() => showAll(true)}>
          {counted(hidden, 'earlier message')}
        </button>
      )}
      <ol data-part="messages">
        {messages.slice(hidden).map(({ role, parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages never change their places.
          <li key={hidden + index} data-role={role}>
            <span data-part="role">{role}</span>
            <PartList parts={parts} otherwise="Nothing" />
          </li>
        ))}
      </ol>
    </>
  )
}

/** The parts of a message to or from the model. */
export function PartList({ parts, otherwise }: { parts: readonly ShownPart[]; otherwise: string }): ReactNode {
  if (parts.length === 0) return <div data-part="empty">{otherwise}</div>
  return (
    <ol data-part="parts">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never change their places.
        <li key={index} data-kind={part.kind}>
          <h4>{titleOf(part)}</h4>
          <JsonText value={part.value} label={titleOf(part)} />
        </li>
      ))}
    </ol>
  )
}

function titleOf({ kind, tool = 'a tool' }: ShownPart): string {
  switch (kind) {
    case 'text':
      return 'Text'
    case 'reasoning':
      return 'Reasoning'
    case 'call':
      return `Calls ${tool}`
    case 'result':
      return `Result of ${tool}`
    case 'other':
      return 'Other'
  }
}

/** A message of a prompt, to be read. */
interface ShownMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its parts. */
  readonly parts: readonly ShownPart[]
}
interface ShownPart {
  readonly kind: 'text' | 'reasoning' | 'call' | 'result' | 'other'
  /** Of which tool. */
  readonly tool?: string
  readonly value: unknown
}

/**
 * Returns the messages in the log when a turn began. The log has no instructions, and not what steps change on the way
 * to the model: only an agent can recompute its request.
 */
export function messagesAt(events: readonly Event[], { seq, heard }: EventOf<'thought'>): readonly ShownMessage[] {
  const state = fold(events.filter((event) => event.seq < (heard || seq)))
  const { compacted, history, pending } = state
  const entries = [...history.flat().slice(compacted?.from ?? 0), ...pending]
  return [...(compacted?.messages ?? []).map(toShown), ...entries.flatMap(shownOf)]
}

type Entry = RunState['history'][number][number]
type Message = Extract<Event, { readonly type: 'seeded' }>['messages'][number]

function shownOf(entry: Entry): readonly ShownMessage[] {
  if (entry.type === 'said') return [{ role: 'user', parts: [{ kind: 'text', value: wordsOf(entry.content) }] }]
  if (entry.type === 'messages') return entry.messages.map(toShown)
  const { parts, calls } = entry
  const results = calls.flatMap(({ name, result }) =>
    result ? [{ kind: 'result', tool: name, value: plainResult(result) } as const] : [],
  )
  return [
    { role: 'assistant', parts: parts.map(toPart) },
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
  ]
}

/** A message of the model interface, to be read. */
export function toShown(message: Message): ShownMessage {
  if (message.role === 'system') return { role: 'system', parts: [{ kind: 'text', value: message.content }] }
  return { role: message.role, parts: message.content.map(toPart) }
}

interface AnyPart {
  readonly type: string
  readonly text?: unknown
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly result?: unknown
}

/** A part of a message or of a turn. */
export function toPart(part: AnyPart): ShownPart {
  const tool = part.toolName
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { kind: part.type, value: part.text }
    case 'tool-call':
      return { kind: 'call', ...(tool !== undefined && { tool }), value: part.input }
    case 'tool-result':
      return { kind: 'result', ...(tool !== undefined && { tool }), value: plainResult(part.output ?? part.result) }
    default:
      return { kind: 'other', value: part }
  }
}

/** A result of the model interface is its value with a word on what kind it is. */
function plainResult(result: unknown): unknown {
  const { value, reason } = Object(result) as { readonly value?: unknown; readonly reason?: unknown }
  return value ?? reason ?? result
}
