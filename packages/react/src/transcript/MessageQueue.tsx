import type { Run } from '@interleave/core'
import { messageText, reportLater } from '@interleave/core/internal'
import { type FocusEvent, type FormEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { useProblem } from '../failureWords.ts'
import { Button, FileList } from '../parts.tsx'
import { type Queue, type QueuedMessage, stableKeyOf, useQueue } from '../useQueue.ts'
import { useConnection } from '../useRun.ts'
import { useSay } from '../words/words.tsx'

export interface MessageQueueProps {
  readonly run: Run | undefined
  /** The element to focus when the user empties the queue, such as your text field; by default the queue itself. */
  readonly focusAfter?: RefObject<HTMLElement | null>
  readonly className?: string
}

/**
 * Shows the messages that wait while a run works: each can be edited, withdrawn or sent now. Renders nothing if none
 * waits. Render it outside of your forms: forms cannot be nested. Use `<Transcript omitQueue />` with it, so that no
 * message appears twice.
 *
 * @example
 * <MessageQueue run={run} />
 */
export function MessageQueue({ run, focusAfter, className }: MessageQueueProps): ReactNode {
  const say = useSay()
  const queue = useQueue(run)
  const [editing, edit] = useState<QueuedMessage>()
  const { waiting } = queue
  const [box, focusLast] = useQueueFocus(focusAfter)
  const [announcement, announce] = useQueueAnnouncement(waiting)
  // The typed text remains if the model receives the message meanwhile.
  const keyOf = (message: QueuedMessage): string => stableKeyOf(run, message)
  const edited = editing && keyOf(editing)
  const isTaken = editing !== undefined && !waiting.some((message) => keyOf(message) === edited)
  const shown = isTaken ? [editing, ...waiting] : waiting
  const save = async (content: string): Promise<void> => {
    edit(undefined)
    if (!editing || content === editing.content) return
    focusLast()
    announce(say('messageChanged'))
    await (isTaken ? run?.say(content) : queue.edit(editing, content))
  }
  return (
    <div {...box} tabIndex={-1} data-interleave="queue-place">
      {shown.length > 0 && (
        <section data-interleave="queue" aria-label={say('queue')} className={className}>
          <ul>
            {shown.map((message) =>
              keyOf(message) === edited ? (
                <li key={edited}>
                  <EditForm message={message} isTaken={isTaken} onSave={save} onCancel={() => edit(undefined)} />
                </li>
              ) : (
                <Queued key={keyOf(message)} {...{ message, queue, run, announce }} onEdit={() => edit(message)} />
              ),
            )}
          </ul>
        </section>
      )}
      <p role="status" data-interleave="news">
        {announcement}
      </p>
    </div>
  )
}

/** Keeps the focus in the queue when the message that had it leaves. */
function useQueueFocus(after: RefObject<HTMLElement | null> | undefined) {
  const ref = useRef<HTMLDivElement>(null)
  /** The index of the message that has the focus. */
  const within = useRef<number>(undefined)
  useEffect(() => {
    const onLeave = ({ target }: Event): void => {
      if (!ref.current?.contains(target as Node)) within.current = undefined
    }
    const { ownerDocument } = ref.current ?? {}
    for (const type of ['focusin', 'pointerdown']) ownerDocument?.addEventListener(type, onLeave)
    return () => {
      for (const type of ['focusin', 'pointerdown']) ownerDocument?.removeEventListener(type, onLeave)
    }
  }, [])
  // After each render, since the focused element may have left with it.
  useEffect(() => {
    const box = ref.current
    if (!box || within.current === undefined || box.ownerDocument.activeElement !== box.ownerDocument.body) return
    const items = itemsOf(box)
    const button = (items[within.current] ?? items.at(-1))?.querySelector('button')
    const target = button ?? after?.current ?? box
    target.focus()
  })
  const onFocus = ({ target }: FocusEvent): void => {
    const index = itemsOf(ref.current).findIndex((item) => item.contains(target))
    if (index >= 0) within.current = index
  }
  const focusLast = (): void => {
    within.current = Number.POSITIVE_INFINITY
  }
  return [{ ref, onFocus }, focusLast] as const
}

const itemsOf = (box: HTMLElement | null): readonly HTMLLIElement[] =>
  box ? [...box.querySelectorAll<HTMLLIElement>(':scope > section > ul > li')] : []

/**
 * Returns the text for screen readers: what a user has done, and that messages were queued or received by the model.
 */
function useQueueAnnouncement(
  waiting: readonly QueuedMessage[],
): readonly [announcement: string, done: (words: string) => void] {
  const say = useSay()
  const [announcement, announce] = useState('')
  const before = useRef(waiting)
  const own = useRef('')
  useEffect(() => {
    const [last, words] = [before.current, own.current]
    if (waiting === last) return
    before.current = waiting
    own.current = ''
    if (words) announce(words)
    else if (waiting.length > last.length) announce(say('queued', { count: waiting.length }))
    else if (waiting.length < last.length)
      announce(waiting.length === 0 ? say('agentHasAll') : say('agentHasOne', { count: waiting.length }))
  }, [waiting, say])
  const done = (words: string): void => {
    own.current = words
  }
  return [announcement, done]
}

interface QueuedProps {
  readonly message: QueuedMessage
  readonly queue: Queue
  readonly run: Run | undefined
  readonly onEdit: () => void
  readonly announce: (words: string) => void
}

function Queued({ message, queue, run, onEdit, announce }: QueuedProps): ReactNode {
  const say = useSay()
  const [problem, showProblem] = useProblem()
  const { content, state } = message
  const isKept = useConnection(run)?.type === 'waiting' && state === 'sending'
  const act = (doing: Promise<void>, words: string): void => {
    showProblem()
    announce(words)
    doing.catch((error) => {
      announce('')
      showProblem(error)
    })
  }
  return (
    <li>
      <p dir="auto">{messageText(message.content)}</p>
      <FileList content={content} />
      {state === 'sending' && <small>{say(isKept ? 'kept' : 'sending')}</small>}
      <div data-interleave="queue-actions">
        {typeof content === 'string' && <Button onClick={onEdit}>{say('edit')}</Button>}
        <Button onClick={() => act(queue.withdraw(message), say('messageWithdrawn'))}>{say('withdraw')}</Button>
        <Button onClick={() => act(queue.sendNow(message), say('messageNext'))}>
          {say(state === 'sending' ? 'sendAgain' : 'sendNow')}
        </Button>
      </div>
      <p role="alert" data-interleave="reason">
        {problem}
      </p>
    </li>
  )
}

interface EditFormProps {
  readonly message: QueuedMessage
  readonly isTaken: boolean
  readonly onSave: (content: string) => Promise<void>
  readonly onCancel: () => void
}

function EditForm({ message, isTaken, onSave, onCancel }: EditFormProps): ReactNode {
  const say = useSay()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const content = String(new FormData(event.currentTarget).get('content') ?? '').trim()
    onSave(content).catch(reportLater)
  }
  return (
    <form
      data-interleave="edit-message"
      onSubmit={submit}
      onKeyDown={({ key, nativeEvent }) => key === 'Escape' && !nativeEvent.isComposing && onCancel()}
    >
      <input
        name="content"
        aria-label={say('newText')}
        required
        defaultValue={messageText(message.content)}
        // biome-ignore lint/a11y/noAutofocus: the user has just asked to edit it.
        autoFocus
        autoComplete="off"
      />
      <button type="submit">{say(isTaken ? 'sendAgain' : 'save')}</button>
      <Button onClick={onCancel}>{say('cancel')}</Button>
      {isTaken && <small role="status">{say('modelHasIt')}</small>}
    </form>
  )
}
