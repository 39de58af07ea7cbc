import type { Event, RunState } from '@interleave/core'
import { fold } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { type ReactNode, useState } from 'react'
import { Button, JsonText, shownText } from './parts.tsx'
import { counted, textOf } from './wording.ts'

/** A message of a prompt, for display. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly parts: readonly MessagePart[]
}
export interface MessagePart {
  readonly kind: 'text' | 'reasoning' | 'call' | 'result' | 'other'
  /** The name of the tool. */
  readonly tool?: string | undefined
  readonly value: unknown
}

const mostAtFirst = 30

/** Shows the messages of a prompt, at first only the latest ones. */
export function MessageList({ messages }: { readonly messages: readonly PromptMessage[] }): ReactNode {
  const [showsAll, showAll] = useState(false)
  const hidden = showsAll ? 0 : Math.max(0, messages.length - mostAtFirst)
  return (
    <>
      {hidden > 0 && <Button onClick={() => showAll(true)}>Show {counted(hidden, 'earlier message')}</Button>}
      <ol data-part="messages">
        {messages.slice(hidden).map(({ role, parts }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: messages never move.
          <li key={hidden + index} data-role={role}>
            <span data-part="role">{role}</span>
            <PartList parts={parts} otherwise="Empty" />
          </li>
        ))}
      </ol>
    </>
  )
}

interface PartListProps {
  readonly parts: readonly MessagePart[]
  readonly otherwise: string
}

/** Shows the parts of a message to or from the model. */
export function PartList({ parts, otherwise }: PartListProps): ReactNode {
  if (parts.length === 0) return <div data-part="empty">{otherwise}</div>
  return (
    <ol data-part="parts">
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts never move.
        <li key={index} data-kind={part.kind}>
          <h4>{titleOf(part)}</h4>
          <JsonText value={part.value} label={titleOf(part)} />
        </li>
      ))}
    </ol>
  )
}

const titleOf = ({ kind, tool = 'a tool' }: MessagePart): string =>
  shownText(
    { text: 'Text', reasoning: 'Reasoning', call: `Calls ${tool}`, result: `Result of ${tool}`, other: 'Other' }[kind],
  )

/** Returns the messages in the log when a turn began. Only an agent can recompute its whole request. */
export function messagesAt(events: readonly Event[], { seq, readUntil }: EventOf<'thought'>): readonly PromptMessage[] {
  const { compacted, history, pending } = fold(events.filter((event) => event.seq < (readUntil || seq)))
  const entries = [...history.flat().slice(compacted?.from ?? 0), ...pending]
  return [...(compacted?.messages ?? []).map(toPromptMessage), ...entries.flatMap(messagesOfEntry)]
}

type Entry = RunState['history'][number][number]
type Message = Extract<Event, { readonly type: 'seeded' }>['messages'][number]

function messagesOfEntry(entry: Entry): readonly PromptMessage[] {
  if (entry.type === 'said') return [{ role: 'user', parts: [{ kind: 'text', value: textOf(entry.content) }] }]
  if (entry.type === 'messages') return entry.messages.map(toPromptMessage)
  const results = entry.calls.flatMap(({ name, result }) =>
    result ? [{ kind: 'result', tool: name, value: plainValue(result) } as const] : [],
  )
  return [
    { role: 'assistant', parts: entry.parts.map(toPart) },
    ...(results.length > 0 ? [{ role: 'tool', parts: results } as const] : []),
  ]
}

/** Converts a message of the model interface. */
export const toPromptMessage = (message: Message): PromptMessage =>
  message.role === 'system'
    ? { role: 'system', parts: [{ kind: 'text', value: message.content }] }
    : { role: message.role, parts: message.content.map(toPart) }

interface AnyPart {
  readonly type: string
  readonly text?: unknown
  readonly toolName?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly result?: unknown
}

/** Converts a part of a message or of a turn. */
export function toPart(part: AnyPart): MessagePart {
  const { type, text, toolName: tool, input, output, result } = part
  if (type === 'text' || type === 'reasoning') return { kind: type, value: text }
  if (type === 'tool-call') return { kind: 'call', tool, value: input }
  if (type === 'tool-result') return { kind: 'result', tool, value: plainValue(output ?? result) }
  return { kind: 'other', value: part }
}

/** Returns the value of a result of the model interface, without its kind. */
function plainValue(result: unknown): unknown {
  const { value, reason } = Object(result) as { readonly value?: unknown; readonly reason?: unknown }
  return value ?? reason ?? result
}
