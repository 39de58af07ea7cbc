import type { ApprovalReply, Ask, Json, Run, UserContent } from '@interleave/core'
import { reportLater } from '@interleave/core/internal'
import type { ChatMessage, QuestionMessage, RestMessage, TextMessage, UserMessage } from '@interleave/core/observe'
import { type ComponentType, memo, type ReactNode } from 'react'
import { Button, FileList } from '../parts.tsx'
import { useMessages } from '../selections.ts'
import { plainJson, unpiled } from '../untrusted/segmentsOf.ts'
import { UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useQueue, withdrawSending } from '../useQueue.ts'
import { useLink } from '../useRun.ts'
import { ToolCall, type ToolCards } from './ToolCard.tsx'

/** Your own components by type of message. For calls of tools, see `tools`. */
export interface MessageComponents {
  readonly user?: ComponentType<{ readonly message: UserMessage }>
  /** Renders a model's text, for example as Markdown. */
  readonly text?: ComponentType<{ readonly message: TextMessage }>
  readonly question?: ComponentType<{ readonly message: QuestionMessage }>
  readonly rest?: ComponentType<{ readonly message: RestMessage }>
}

export interface TranscriptProps<Of extends Run = Run> {
  readonly run: Of | undefined
  /** Your components by tool name. */
  readonly tools?: ToolCards<Of>
  readonly components?: MessageComponents
  /** Omits messages that wait for a later turn, until the model gets them: `MessageQueue` shows them. */
  readonly omitQueue?: boolean
  readonly className?: string
}

const noTools: ToolCards = {}
const builtInOnly: MessageComponents = {}

/**
 * Shows the messages of a run: texts, tool calls, questions, files, failures. Renders on a server too. A finished message
 * renders once, if `tools` and `components` are the same objects in each render.
 *
 * @example
 * const tools = { bookTable: BookingCard }
 * const Chat = ({ run }: { run: Run }) => <Transcript run={run} tools={tools} />
 */
export function Transcript<Of extends Run = Run>({
  run,
  tools,
  components = builtInOnly,
  omitQueue = false,
  className,
}: TranscriptProps<Of>): ReactNode {
  // Only the components use the types of the tools.
  const cards = (tools ?? noTools) as ToolCards
  const messages = useMessages<Run>(run)
  const { waiting } = useQueue(omitQueue ? run : undefined)
  const omitted = new Set(waiting.map(({ id }) => id))
  return (
    <ol data-interleave="transcript" aria-label="Conversation" className={className}>
      {messages
        .filter(({ key }) => !omitted.has(key))
        .map((message) => (
          <Item key={message.key} message={message} run={run} tools={cards} components={components} />
        ))}
    </ol>
  )
}

interface ItemProps {
  readonly message: ChatMessage
  readonly run: Run | undefined
  readonly tools: ToolCards
  readonly components: MessageComponents
}

const Item = memo(function Item({ message, run, tools, components }: ItemProps): ReactNode {
  return (
    <li data-interleave="message" data-type={message.type} data-state={'state' in message ? message.state : undefined}>
      {contentOf({ message, run, tools, components })}
    </li>
  )
})

function contentOf({ message, run, tools, components }: ItemProps): ReactNode {
  if (message.type === 'call') return <ToolCall message={message} run={run} tools={tools} />
  // Each component only gets messages of its own type.
  const View = (components[message.type] ?? builtIn[message.type]) as ComponentType<{ readonly message: ChatMessage }>
  return (
    <>
      <View message={message} />
      {message.type === 'user' && <SendingNote run={run} message={message} />}
    </>
  )
}

function UserView({ message: { text, content } }: { readonly message: UserMessage }): ReactNode {
  return (
    <>
      {text && <p>{unpiled(text)}</p>}
      <FileList content={content} />
    </>
  )
}

function TextView({ message: { text, reasoning, error } }: { readonly message: TextMessage }): ReactNode {
  return (
    <>
      {reasoning.trim() && (
        <details data-interleave="reasoning">
          <summary>Reasoning</summary>
          <p>{unpiled(reasoning)}</p>
        </details>
      )}
      {text.trim() && <p>{unpiled(text)}</p>}
      {error && <p data-interleave="reason">{error.message}</p>}
    </>
  )
}

function QuestionView({ message: { ask, isOpen, reply } }: { readonly message: QuestionMessage }): ReactNode {
  const state = isOpen ? 'waiting for you' : 'not needed any more'
  return (
    <p>
      <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>{' '}
      {reply === undefined ? (
        <small>{state}</small>
      ) : (
        <UntrustedText limit={1_000}>{wordsOf(ask, reply)}</UntrustedText>
      )}
    </p>
  )
}

/** Returns a reply as the user chose it. */
function wordsOf(ask: Ask, reply: Json): string {
  if (ask.kind === 'confirm') return reply === true ? ask.yes : ask.no
  if (ask.kind === 'approval') return (reply as ApprovalReply).approved ? 'Approved' : 'Refused'
  const labelOf = (value: Json): string =>
    ('options' in ask && ask.options.find((option) => option.value === value)?.label) || plainWords(value)
  return Array.isArray(reply) ? reply.map(labelOf).join(', ') : labelOf(reply)
}

const plainWords = (value: Json): string => (typeof value === 'string' ? value : plainJson(value))

function RestView({ message: { signal } }: { readonly message: RestMessage }): ReactNode {
  const [title, reason] =
    signal.type === 'failed' ? ['The agent could not finish.', signal.error.message] : ['Stopped.', signal.reason]
  return (
    <p>
      <strong>{title}</strong>{' '}
      <span data-interleave="reason">
        <UntrustedText limit={1_000}>{reason}</UntrustedText>
      </span>
    </p>
  )
}

const builtIn: Required<MessageComponents> = { user: UserView, text: TextView, question: QuestionView, rest: RestView }

export interface SendingNoteProps {
  readonly run: Run | undefined
  readonly message: Pick<UserMessage, 'state' | 'sendKey'> & { readonly content: UserContent }
}

/**
 * Shows that a message is being sent. If its host does not answer, the user can send it again or withdraw it. Renders
 * nothing for a message that was sent.
 */
export function SendingNote({ run, message: { state, sendKey, content } }: SendingNoteProps): ReactNode {
  const isWaiting = useLink(run)?.type === 'waiting'
  if (state !== 'sending') return null
  if (!isWaiting || !run || sendKey === undefined) return <small>Sending …</small>
  const isStart = run.state.seq === 0
  return (
    <span data-interleave="sending">
      <small role="status">No answer yet. The message is kept here, and sent when there is one.</small>
      {!isStart && (
        <Button onClick={() => void run.say(content, { key: sendKey }).catch(reportLater)}>Send again</Button>
      )}
      <Button onClick={() => withdrawSending(run, sendKey)}>Withdraw</Button>
    </span>
  )
}
