import type { Run, RunState, UserContent } from '@interleave/core'
import { reportLater } from '@interleave/core/internal'
import type { ChatMessage, QuestionMessage, SettledMessage, TextMessage, UserMessage } from '@interleave/core/observe'
import { type ComponentType, type CSSProperties, memo, type ReactNode, useEffect } from 'react'
import { reportFailure, useFailureWords } from '../failureWords.ts'
import { askIn } from '../outlet/askIn.ts'
import { BusyNote } from '../outlet/BusyNote.tsx'
import { useHasFailureOutlet } from '../outlet/outlets.ts'
import { Button, FileList, unseen } from '../parts.tsx'
import { useMessages, useSignal } from '../selections.ts'
import { plainText, unpiled } from '../untrusted/segmentsOf.ts'
import { Changed, UntrustedText } from '../untrusted/UntrustedText.tsx'
import { useQueue, withdrawSending } from '../useQueue.ts'
import { useConnection, useRun } from '../useRun.ts'
import { useSay } from '../words/words.tsx'
import { replyIn } from './replyIn.ts'
import { ToolCall, type ToolCards } from './ToolCard.tsx'

/** Your own components by type of message. For calls of tools, see `tools`. */
export interface MessageComponents {
  readonly user?: ComponentType<{ readonly message: UserMessage }>
  /** Renders a model's text, for example as Markdown: `children` is the text. */
  readonly text?: ComponentType<{ readonly message: TextMessage; readonly children: string }>
  readonly question?: ComponentType<{ readonly message: QuestionMessage }>
  readonly settled?: ComponentType<{ readonly message: SettledMessage }>
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
 * Shows the messages of a run: texts, tool calls, questions, files, failures. A failure that a `SignalOutlet` shows with
 * its advice is not shown a second time. Renders on a server too. A finished message
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
  const say = useSay()
  const failed = useSignal(run, 'failed')
  useEffect(() => {
    if (failed) reportFailure(failed.error, run)
  }, [failed, run])
  const omitted = new Set(waiting.map(({ id }) => id))
  // An outlet of the page shows why the run rests, and what to do.
  const hasOutlet = useHasFailureOutlet(run)
  const rest = useRun(run, signalOf)
  const isShown = (message: ChatMessage): boolean =>
    hasOutlet &&
    !components.settled &&
    message.type === 'settled' &&
    message.error !== undefined &&
    message.signal === rest
  return (
    <ol data-interleave="transcript" aria-label={say('conversation')} className={className}>
      {messages
        .filter((message) => !omitted.has(message.key) && !isShown(message))
        .map((message) => (
          <Item key={message.key} message={message} run={run} tools={cards} components={components} />
        ))}
      {!hasOutlet && <BusyNote run={run} as="li" />}
    </ol>
  )
}

const signalOf = ({ signal }: RunState): RunState['signal'] => signal

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

const anchored: CSSProperties = { position: 'relative', userSelect: 'none' }

/** Says to screen readers whose message follows: to the eye, its position says it. */
function Speaker({ message, run }: Pick<ItemProps, 'message' | 'run'>): ReactNode {
  const say = useSay()
  const agent = plainText(run?.state.agent ?? '')
  return (
    // It has a box of its own to be positioned in, or a list that scrolls would be as long as all of them.
    <span style={anchored}>
      <span data-interleave="speaker" style={unseen}>
        {`${message.type === 'user' ? say('youSaid') : say('agentSaid', { agent })} `}
      </span>
    </span>
  )
}

function contentOf({ message, run, tools, components }: ItemProps): ReactNode {
  if (message.type === 'call') return <ToolCall message={message} run={run} tools={tools} />
  // Each component only gets messages of its own type.
  const View = (components[message.type] ?? builtIn[message.type]) as ComponentType<{
    readonly message: ChatMessage
    readonly children?: string | undefined
  }>
  return (
    <>
      {(message.type === 'user' || message.type === 'text') && <Speaker message={message} run={run} />}
      <View message={message}>{message.type === 'text' ? message.text : undefined}</View>
      {message.type === 'user' && <SendingNote run={run} message={message} />}
    </>
  )
}

function UserView({ message: { text, content } }: { readonly message: UserMessage }): ReactNode {
  return (
    <>
      {text && <p dir="auto">{unpiled(text)}</p>}
      <FileList content={content} />
    </>
  )
}

function TextView({ message: { text, reasoning, error } }: { readonly message: TextMessage }): ReactNode {
  const failureWords = useFailureWords()
  const say = useSay()
  return (
    <>
      {reasoning.trim() && (
        <details data-interleave="reasoning">
          <summary>{say('reasoning')}</summary>
          <p dir="auto">{unpiled(reasoning)}</p>
        </details>
      )}
      {text.trim() && <p dir="auto">{unpiled(text)}</p>}
      {error && <p data-interleave="reason">{failureWords(error)}</p>}
    </>
  )
}

function QuestionView({ message }: { readonly message: QuestionMessage }): ReactNode {
  const say = useSay()
  const { isOpen, reply, promptBefore } = message
  const ask = askIn(say, message.ask)
  return (
    <p>
      {promptBefore === undefined ? (
        <UntrustedText limit={1_000}>{ask.prompt}</UntrustedText>
      ) : (
        <Changed before={askIn(say, { ...message.ask, prompt: promptBefore }).prompt} after={ask.prompt} />
      )}{' '}
      {reply === undefined ? (
        <small>{say(isOpen ? 'waitingForYou' : 'notNeeded')}</small>
      ) : (
        <UntrustedText limit={1_000}>{replyIn(say, ask, reply)}</UntrustedText>
      )}
    </p>
  )
}

function SettledView({ message: { signal } }: { readonly message: SettledMessage }): ReactNode {
  const failureWords = useFailureWords()
  const say = useSay()
  const [title, reason] =
    signal.type === 'failed' ? [say('couldNotFinish'), failureWords(signal.error)] : [say('stopped'), signal.reason]
  return (
    <p>
      <strong>{title}</strong>{' '}
      {reason !== stoppedByUser && (
        <span data-interleave="reason">
          <UntrustedText limit={1_000}>{reason}</UntrustedText>
        </span>
      )}
    </p>
  )
}

/** The reason of a stop that names none: the title says it already. */
const stoppedByUser = 'Stopped.'

const builtIn: Required<MessageComponents> = {
  user: UserView,
  text: TextView,
  question: QuestionView,
  settled: SettledView,
}

export interface SendingNoteProps {
  readonly run: Run | undefined
  readonly message: Pick<UserMessage, 'state' | 'sendKey'> & { readonly content: UserContent }
}

/**
 * Shows that a message is being sent. If its host does not answer, the user can send it again or withdraw it. Renders
 * nothing for a message that was sent.
 */
export function SendingNote({ run, message: { state, sendKey, content } }: SendingNoteProps): ReactNode {
  const say = useSay()
  const isWaiting = useConnection(run)?.type === 'waiting'
  if (state !== 'sending') return null
  if (!isWaiting || !run || sendKey === undefined) return <small>{say('sending')}</small>
  const isStart = run.state.seq === 0
  return (
    <span data-interleave="sending">
      <small role="status">{say('kept')}</small>
      {!isStart && (
        <Button onClick={() => void run.say(content, { key: sendKey }).catch(reportLater)}>{say('sendAgain')}</Button>
      )}
      <Button onClick={() => withdrawSending(run, sendKey)}>{say('withdraw')}</Button>
    </span>
  )
}
