import type { Json, RunState } from '@interleave/core'
import { type Draft, useDraft, useQueue, useRun } from '@interleave/react'
import { plainJson } from '@interleave/react/untrusted'
import { useEffect, useRef } from 'react'
import { isFocusLost } from '../parts/focus.ts'
import { LongItems } from '../parts/LongItems.tsx'
import { Markdown } from '../parts/Markdown.tsx'
import { RenderBoundary } from '../parts/RenderBoundary.tsx'
import { type Message, sendingMessages, toMessages } from '../run/messages.ts'
import type { Conversation as Shown } from '../run/PlaygroundState.ts'
import { useEvents, usePage } from '../run/usePlayground.ts'
import { isSame, MessageView } from './MessageView.tsx'
import { Suggestions } from './Suggestions.tsx'
import './conversation.css'

/** The messages, calls and questions, oldest first, and the text that streams. */
export function Conversation({ conversation }: { conversation: Shown }) {
  const { offer, run, past } = conversation
  const pending = useRun(run, pendingFrom)
  const sending = useRun(run, sendingIn)
  // The queue shows what waits, until the model gets it. In the past there is none.
  const { waiting } = useQueue(past ? undefined : run)
  const queued = new Set(waiting.map(({ id }) => id))
  const said = [...toMessages(useEvents(conversation)), ...sendingMessages(sending)]
  const messages = queued.size > 0 ? said.filter(({ key }) => !queued.has(key)) : said
  const pane = usePage((page) => page.pane)
  const section = useRef<HTMLElement>(null)
  // A message sent while a turn streams comes after that turn.
  const later = messages.findIndex((message) => isPending(message, pending))
  const [before, after] = later < 0 ? [messages, []] : [messages.slice(0, later), messages.slice(later)]

  // The button that was clicked to get here may have lost the focus with its removal; also if another pane was shown
  // before.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another pane is a reason to look.
  useEffect(() => {
    if (isFocusLost()) section.current?.focus({ preventScroll: true })
  }, [pane])

  return (
    <section
      ref={section}
      tabIndex={-1}
      className="conversation"
      role="log"
      aria-live="off"
      aria-label={`Conversation with the ${offer.title}`}
    >
      <ol className="messages long-list">
        <LongItems items={before} keyOf={keyOf} draw={drawMessage} isSame={isSame} noun="messages" />
        <Writing run={run} />
        {after.map((message) => (
          <MessageItem key={keyOf(message)} message={message} isReceived={!isPending(message, pending)} />
        ))}
      </ol>
      <Suggestions conversation={conversation} messages={messages} />
    </section>
  )
}

const keyOf = ({ type, key }: Message): string => `${type} ${key}`

const drawMessage = (message: Message) => <MessageItem message={message} isReceived />

const MessageItem = ({ message, isReceived }: { message: Message; isReceived: boolean }) => (
  <li className={`message message-${message.type}`}>
    <RenderBoundary name="This message" of={message} text={plainTextOf(message)}>
      <MessageView message={message} isReceived={isReceived} />
    </RenderBoundary>
  </li>
)

const sendingIn = ({ sending }: RunState): NonNullable<RunState['sending']> => sending ?? none
const none: NonNullable<RunState['sending']> = []

/** Returns the `seq` of the first message that no turn has in its prompt, the streaming turn included. */
const pendingFrom = ({ draft, pending, iteration }: RunState): number =>
  draft?.readUntil ?? (iteration > 0 ? (pending[0]?.seq ?? Number.POSITIVE_INFINITY) : Number.POSITIVE_INFINITY)

/** Returns the plain text of a message that cannot be rendered. */
const plainTextOf = (message: Message): string =>
  message.type === 'text' ? message.text : (plainJson(message) ?? message.type)

const isPending = (message: Message, from: number): boolean => message.type === 'user' && message.seq >= from

/** Shows the streaming text. It keeps its position from the first word to the last, so that nothing jumps. */
function Writing({ run }: { run: Shown['run'] }) {
  const draft = useDraft(run)
  if (!draft) return null
  return (
    <li className="message message-text writing" aria-busy="true">
      {draft.text ? <Markdown>{draft.text}</Markdown> : <Thinking {...draft} />}
    </li>
  )
}

/** The latest lines of its thought or, while it acts, the progress of a tool. */
const Thinking = ({ reasoning, progress }: Draft) => (
  <>
    <p className="thinking">{Object.values(progress).map(wordsOf).findLast(Boolean) ?? 'Thinking'}</p>
    {reasoning && <p className="writing-thought">{reasoning.slice(-240)}</p>}
  </>
)

/** The words of a tool's progress, such as those of an MCP server. */
const wordsOf = (progress: Json): string | undefined =>
  typeof progress === 'object' && progress !== null && 'message' in progress && typeof progress.message === 'string'
    ? progress.message.slice(0, 120)
    : undefined
